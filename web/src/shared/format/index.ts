export { actionInWords } from "./actions";
export {
  day,
  dayAndTime,
  duration,
  fullTime,
  money,
  number,
  relativeTime,
  timeOfDay,
} from "./format";
export { locale, setPreference, startPreferences, type Theme, usePreferences } from "./preferences";
export { Time } from "./Time";
export { browserInWords, confidenceInWords, inWords, plural } from "./words";
