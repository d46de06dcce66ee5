/** A moment as people write it: the time, with the day unless that is today. */
export function momentText(moment: Date, language: string, now = new Date()): string {
  const today = moment.toDateString() === now.toDateString();
  const style: Intl.DateTimeFormatOptions = { timeStyle: 'short', ...(today ? {} : { dateStyle: 'medium' }) };
  return new Intl.DateTimeFormat(language, style).format(moment);
}

/** A time in the past as people say it: "3 hours ago". */
export function ageWords(seconds: number, language: string, now: number = Date.now()): string {
  const steps: [Intl.RelativeTimeFormatUnit, number][] = [
    ['year', 31_536_000],
    ['month', 2_592_000],
    ['week', 604_800],
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ];
  const ago = Math.max(0, now / 1000 - seconds);
  const [unit, size] = steps.find(([, each]) => ago >= each) ?? ['second', 1];
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-Math.floor(ago / size), unit);
}
