-- Photographs that are kept become attachments; `media` keeps the web addresses.
SELECT whence.adopt_attachments('items', 'resale.items', 'media');
