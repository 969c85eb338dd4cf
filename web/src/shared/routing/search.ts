/** Several values of an address: one, or a list of them. */
export const several = (value: unknown): string[] | undefined => {
  const all = (Array.isArray(value) ? value : [value]).filter((each) => typeof each === "string");
  return all.length ? all : undefined;
};
