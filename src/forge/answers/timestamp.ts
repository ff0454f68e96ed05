import * as v from 'valibot';

/**
 * Milliseconds of a timestamp, or NaN. Servers write `2026-11-20T07:04:51+00:00`, later ones
 * `2022-04-08T11:12:36.123456Z` (docs/protocol.md#timestamps); a time without zone is UTC.
 */
export function timestampMs(text: string): number {
	const usualMs = usualTimestampMs(text);
	if (!Number.isNaN(usualMs)) {
		return usualMs;
	}
	if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)) {
		return Number.NaN;
	}
	return Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`);
}

export const timestamp = v.pipe(
	v.string(),
	v.rawTransform(({ dataset, addIssue, NEVER }) => {
		const ms = timestampMs(dataset.value);
		if (Number.isNaN(ms)) {
			addIssue({ expected: 'timestamp' });
			return NEVER;
		}
		return ms;
	}),
);

const zero = 48;
const dayMs = 86_400_000;

/**
 * Long lists have thousands of timestamps, and the general parser is many times slower. `Date.UTC` leaves compiled
 * code, so the own computation of the day saves a third of the time.
 */
function usualTimestampMs(text: string): number {
	if (text.length !== 25 || !hasSeparators(text)) {
		return Number.NaN;
	}
	const month = pair(text, 5);
	const day = pair(text, 8);
	const hour = pair(text, 11);
	const minute = pair(text, 14);
	const second = pair(text, 17);
	const zone = pair(text, 20) + pair(text, 23);
	// NaN makes each comparison false.
	const isPlausible = month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour < 24 && minute < 60 && second < 60;
	const year = pair(text, 0) * 100 + pair(text, 2);
	return isPlausible && zone === 0 && year >= 1000
		? daysSince1970(year, month, day) * dayMs + ((hour * 60 + minute) * 60 + second) * 1000
		: Number.NaN;
}

/**
 * Days of the Gregorian calendar. A year starts in March here: the leap day is its last day, and each five months have
 * 153 days. A surplus day 31 becomes the first of the next month, as in `Date.UTC`.
 */
function daysSince1970(year: number, month: number, day: number): number {
	const marchYear = month > 2 ? year : year - 1;
	const monthsSinceMarch = month > 2 ? month - 3 : month + 9;
	const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
	return marchYear * 365 + leapDays + Math.floor((153 * monthsSinceMarch + 2) / 5) + day - 719_469;
}

function hasSeparators(text: string): boolean {
	return (
		text.charCodeAt(4) === 45 &&
		text.charCodeAt(7) === 45 &&
		text.charCodeAt(10) === 84 &&
		text.charCodeAt(13) === 58 &&
		text.charCodeAt(16) === 58 &&
		text.charCodeAt(19) === 43 &&
		text.charCodeAt(22) === 58
	);
}

/** Two digits as a number, or NaN. */
function pair(text: string, at: number): number {
	const tens = text.charCodeAt(at) - zero;
	const ones = text.charCodeAt(at + 1) - zero;
	return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}
