export { Button, buttonLook, type ButtonProps, Hint, IconButton, MarkButton } from "./Button";
export { Kbd, RemovableChip, StateChip, Thumbnail, type Tone } from "./Chip";
export { classes } from "./classes";
export { Checkbox, Field, MENU_ITEM, type Option, RowCheckbox, Select } from "./Field";
export { Icon, type IconName } from "./icons";
export { Dialog, Menu, MenuItem, MenuSection } from "./overlays";
export { describeError, EmptyState, ErrorState, Notice, Skeleton, SkeletonLines } from "./states";
export { type TabDefinition, Tabs } from "./Tabs";
export { toast, toastError } from "./toast";
