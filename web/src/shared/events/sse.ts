/** One server-sent event: its type, its number in the log where it has one, and its data. */
export interface ServerEvent {
  type: string;
  id: string | null;
  data: string;
}

/** Reads a stream of server-sent events from pieces that may end anywhere. */
export function eventReader(onEvent: (event: ServerEvent) => void): (piece: string) => void {
  let rest = "";
  let event: ServerEvent = { type: "message", id: null, data: "" };
  return (piece) => {
    rest += piece;
    // A carriage return at the end may be the first half of a line's end.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line === "") {
        if (event.data) onEvent({ ...event, data: event.data.slice(0, -1) });
        event = { type: "message", id: null, data: "" };
        continue;
      }
      const [field, value] = fieldOf(line);
      if (field === "event") event.type = value;
      else if (field === "id") event.id = value;
      else if (field === "data") event.data += `${value}\n`;
    }
  };
}

function fieldOf(line: string): [string, string] {
  const colon = line.indexOf(":");
  if (colon < 0) return [line, ""];
  const value = line.slice(colon + 1);
  return [line.slice(0, colon), value.startsWith(" ") ? value.slice(1) : value];
}
