import { shortAge, spokenAge } from '../../../text/age.ts';

/** Ages as rows write and say them. Made for one drawing: hundreds of rows share few different ages. */
export interface RowAges {
	short(atMs: number): string;
	spoken(atMs: number): string;
}

/** Ages seen from one moment, each different one made once. */
export function rowAges(nowMs: number, locale: string): RowAges {
	const shorts = new Map<number, string>();
	const spokens = new Map<number, string>();
	const once = (known: Map<number, string>, atMs: number, make: () => string): string => {
		const passed = stepOf(nowMs - atMs);
		const text = known.get(passed) ?? make();
		known.set(passed, text);
		return text;
	};
	return {
		short: (atMs) => once(shorts, atMs, () => shortAge(atMs, nowMs, locale)),
		spoken: (atMs) => once(spokens, atMs, () => spokenAge(atMs, nowMs, locale)),
	};
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The whole minutes, hours or days of an age, as one number: ages of the same step are written alike. */
function stepOf(passedMs: number): number {
	const unitMs = passedMs < hourMs ? minuteMs : passedMs < dayMs ? hourMs : dayMs;
	return Math.floor(Math.max(0, passedMs) / unitMs) * unitMs;
}
