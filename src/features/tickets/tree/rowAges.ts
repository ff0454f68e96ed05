import { ageStep, shortAge, spokenAge } from '../../../engine/text/age.ts';

/** Formatted ages. Hundreds of rows share a few. */
export type RowAges = ReturnType<typeof rowAges>;

/** Ages as they read now, each different one made once. */
export function rowAges(nowMs: () => number, locale: string) {
	const shorts = new Map<number, string>();
	const spokens = new Map<number, string>();
	const once = (known: Map<number, string>, atMs: number, make: (passedMs: number) => string): string => {
		const passedMs = ageStep(atMs, nowMs());
		const text = known.get(passedMs) ?? make(passedMs);
		known.set(passedMs, text);
		return text;
	};
	return {
		short: (atMs: number) => once(shorts, atMs, (passedMs) => shortAge(0, passedMs, locale)),
		spoken: (atMs: number) => once(spokens, atMs, (passedMs) => spokenAge(0, passedMs, locale)),
	};
}
