/** Longer waits are typing errors. */
const mostDays = 3660;

/** Time of day of a date without one. */
const morning = 9;
const evening = 18;

/**
 * A future time as typed: a duration (`12h`, `3d`, `2w`), or a date with or without a time of day (`2026-12-24`,
 * `2026-12-24 14:30`). Days end in the morning. Uses the local time zone. `undefined` for anything else.
 */
export function typedTime(text: string, nowMs: number): number | undefined {
	const typed = text.trim().toLowerCase();
	const atMs = durationEnd(typed, nowMs) ?? dateOf(typed);
	return atMs !== undefined && atMs > nowMs && atMs - nowMs <= mostDays * 86_400_000 ? atMs : undefined;
}

/** The morning of a day, so many days from now. */
export function morningIn(days: number, nowMs: number): number {
	const date = new Date(nowMs);
	// Days have 23 to 25 hours, so the calendar counts.
	return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days, morning).getTime();
}

/** This evening; `undefined` if it is less than an hour away. */
export function eveningOf(nowMs: number): number | undefined {
	const atMs = new Date(nowMs).setHours(evening, 0, 0, 0);
	return atMs - nowMs < 3_600_000 ? undefined : atMs;
}

/** Days until the next Monday, at least one. */
export function daysToMonday(nowMs: number): number {
	return (8 - new Date(nowMs).getDay()) % 7 || 7;
}

function durationEnd(typed: string, nowMs: number): number | undefined {
	const [, count, letter] = /^(\d{1,4}) ?([hdw])$/.exec(typed) ?? [];
	const days = { d: 1, w: 7 }[letter ?? ''];
	if (letter === 'h') {
		return nowMs + Number(count) * 3_600_000;
	}
	return days === undefined ? undefined : morningIn(days * Number(count), nowMs);
}

function dateOf(typed: string): number | undefined {
	const [, year, month, day, hour, minute] =
		/^(\d{4})-(\d{2})-(\d{2})(?:[ t](\d{2}):(\d{2}))?$/.exec(typed)?.map(Number) ?? [];
	if (year === undefined || month === undefined || day === undefined) {
		return undefined;
	}
	const [hours, minutes] = Number.isNaN(hour ?? Number.NaN) ? [morning, 0] : [hour ?? 0, minute ?? 0];
	const date = new Date(year, month - 1, day, hours, minutes);
	const isSame = date.getMonth() === month - 1 && date.getDate() === day && minutes < 60;
	return isSame ? date.getTime() : undefined;
}
