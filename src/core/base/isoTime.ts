/**
 * A time as `Date.prototype.toISOString` writes it, for the years 0 to 9999. That one first gets the zones of the world's times ready,
 * which takes a guard as long as reading all the files that it looks at.
 *
 * @param milliseconds since 1970, in UTC.
 */
export function isoTime(milliseconds: number): string {
  const days = Math.floor(milliseconds / day);
  const time = milliseconds - days * day;
  // Years that begin in March, so that the day that some have more is their last one; 400 of them always have the same length.
  const since = days + daysTo1970;
  const era = Math.floor(since / daysIn400);
  const ofEra = since - era * daysIn400;
  const year = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  );
  const ofYear = ofEra - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  const month = Math.floor((5 * ofYear + 2) / 153);
  const january = month >= 10;
  const date = [
    digits(era * 400 + year + (january ? 1 : 0), 4),
    digits(january ? month - 9 : month + 3, 2),
    digits(ofYear - Math.floor((153 * month + 2) / 5) + 1, 2),
  ].join('-');
  const clock = [Math.floor(time / 3_600_000), Math.floor(time / 60_000) % 60, Math.floor(time / 1000) % 60];
  return `${date}T${clock.map((part) => digits(part, 2)).join(':')}.${digits(time % 1000, 3)}Z`;
}

const day = 24 * 60 * 60_000;
const daysIn400 = 146_097;
/** From the first of March of the year 0. */
const daysTo1970 = 719_468;

const digits = (value: number, many: number): string => String(value).padStart(many, '0');
