/* The only forms of ages and times, for views, pages and messages. */

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Largest first. Months are left out because the shortest way to write one is that of a minute. */
const steps = [
	{ unit: 'year', lengthMs: 365 * dayMs },
	{ unit: 'day', lengthMs: dayMs },
	{ unit: 'hour', lengthMs: hourMs },
	{ unit: 'minute', lengthMs: minuteMs },
] as const;

const mostFormats = 100;

/** A tree has thousands of ages, and a new format costs more memory and time than its row. */
function formatCache<F>(): (key: string, make: () => F) => F {
	const known = new Map<string, F>();
	return (key, make) => {
		const format = known.get(key) ?? make();
		if (known.size >= mostFormats) {
			known.clear();
		}
		known.set(key, format);
		return format;
	};
}

const numberFormats = formatCache<Intl.NumberFormat>();
const relativeFormats = formatCache<Intl.RelativeTimeFormat>();
const dateFormats = formatCache<Intl.DateTimeFormat>();

/** Steps of an age in milliseconds: whole years, days, hours or minutes. Ages of one step read the same. */
export function ageStep(atMs: number, nowMs: number): number {
	const passedMs = Math.max(0, nowMs - atMs);
	const { lengthMs } = stepOf(passedMs);
	return Math.floor(passedMs / lengthMs) * lengthMs;
}

function stepOf(passedMs: number): (typeof steps)[number] {
	return steps.find((step) => passedMs >= step.lengthMs) ?? steps[3];
}

/** How long ago, as short as it goes, for rows: `3d`, `90d`, `2y`, and `0m` for now and the future. */
export function shortAge(atMs: number, nowMs: number, locale: string): string {
	const passedMs = Math.max(0, nowMs - atMs);
	const { unit, lengthMs } = stepOf(passedMs);
	const format = numberFormats(
		`${unit} ${locale}`,
		() => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'narrow' }),
	);
	return format.format(Math.floor(passedMs / lengthMs));
}

/** How long ago in words: `3 days ago`, or `3 min. ago` where there is little room; `now` within a minute. */
export function spokenAge(atMs: number, nowMs: number, locale: string, style: 'long' | 'short' = 'long'): string {
	const passedMs = Math.max(0, nowMs - atMs);
	const { unit, lengthMs } = stepOf(passedMs);
	const format = relativeFormats(
		`${style} ${locale}`,
		() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style }),
	);
	return passedMs < minuteMs ? format.format(0, 'second') : format.format(-Math.floor(passedMs / lengthMs), unit);
}

/** The full time, for tooltips. */
export function fullTime(atMs: number, locale: string): string {
	return dateFormat(atMs, locale, 'full').format(atMs);
}

/** The time of day, `12:03`, within a day of now; otherwise with the day. */
export function clockTime(atMs: number, nowMs: number, locale: string): string {
	return Math.abs(nowMs - atMs) < dayMs ? dateFormat(atMs, locale, 'time').format(atMs) : dayTime(atMs, locale);
}

/** The time of day of the first whole minute from then on, for the end of a wait. */
export function minuteAfter(atMs: number, locale: string): string {
	const minuteAtMs = Math.ceil(atMs / minuteMs) * minuteMs;
	return dateFormat(minuteAtMs, locale, 'time').format(minuteAtMs);
}

/** Day and time, `Nov 20, 2026, 12:03 PM`. */
export function dayTime(atMs: number, locale: string): string {
	return dateFormat(atMs, locale, 'dayTime').format(atMs);
}

/** The day, `Nov 20, 2026`. */
export function dayText(atMs: number, locale: string): string {
	return dateFormat(atMs, locale, 'day').format(atMs);
}

const dateStyles = {
	full: { dateStyle: 'full', timeStyle: 'short' },
	dayTime: { dateStyle: 'medium', timeStyle: 'short' },
	day: { dateStyle: 'medium' },
	time: { timeStyle: 'short' },
} as const;

/** The time zone may change, so its offset at that time is part of the key. */
function dateFormat(atMs: number, locale: string, kind: keyof typeof dateStyles): Intl.DateTimeFormat {
	return dateFormats(
		`${kind} ${new Date(atMs).getTimezoneOffset()} ${locale}`,
		() => new Intl.DateTimeFormat(locale, dateStyles[kind]),
	);
}
