/** A time with its length: a day, or a second. */
interface Span {
	readonly fromMs: number;
	/** Belongs to it. */
	readonly toMs: number;
}

const foreverMs = 8.64e15;
const dayMs = 86_400_000;

/**
 * Reads `from..to` with either end missing, or one date. `rt` counts seconds since 1970; all others are dates, or words
 * such as `2.days.ago`, `last.week` and `yesterday`. `undefined` for any other text.
 */
export function timeSpan(prefix: 'd' | 'dt' | 'rt', text: string, nowMs: number): Span | undefined {
	const [first = '', last = ''] = text.includes('..') ? text.split(/\.\.(.*)/s) : [text, text];
	const read = (each: string): Span | undefined =>
		prefix === 'rt' && /^\d{1,11}$/.test(each)
			? { fromMs: Number(each) * 1000, toMs: Number(each) * 1000 + 999 }
			: (dateSpan(each) ?? wordSpan(each.toLowerCase(), nowMs));
	const from = first === '' ? { fromMs: -foreverMs } : read(first);
	const to = last === '' ? { toMs: foreverMs } : read(last);
	if (first + last === '' || !from || !to) {
		return undefined;
	}
	// Alone, a moment such as `2.days.ago` means its day.
	const isMoment = from.fromMs === to.toMs && !text.includes('..');
	const dayStart = from.fromMs - (from.fromMs % dayMs);
	return isMoment ? { fromMs: dayStart, toMs: dayStart + dayMs - 1 } : { fromMs: from.fromMs, toMs: to.toMs };
}

function dateSpan(text: string): Span | undefined {
	const [, year, month, day, hour, minute, second] =
		/^(\d{4})-?(\d\d)-?(\d\d)(?:[T.]?(\d\d):?(\d\d):?(\d\d)?Z?)?$/.exec(text) ?? [];
	if (year === undefined) {
		return undefined;
	}
	const [hours, minutes, seconds] = [hour, minute, second].map((each) => Number(each ?? 0));
	const fromMs = Date.UTC(Number(year), Number(month) - 1, Number(day), hours, minutes, seconds);
	return { fromMs, toMs: fromMs + (hour === undefined ? dayMs : 1000) - 1 };
}

const unitMs: ReadonlyMap<string, number> = new Map([
	['second', 1000],
	['minute', 60_000],
	['hour', 3_600_000],
	['day', dayMs],
	['week', 7 * dayMs],
	['month', 30 * dayMs],
	['year', 365 * dayMs],
]);

function wordSpan(words: string, nowMs: number): Span | undefined {
	const [, count, unit] = /^(\d{1,6})\.(second|minute|hour|day|week|month|year)s?\.ago$/.exec(words) ?? [];
	const last = /^last\.(week|month|year)$/.exec(words)?.[1];
	const length = unitMs.get(unit ?? last ?? '');
	if (length !== undefined || words === 'now') {
		const atMs = nowMs - Number(count ?? 1) * (length ?? 0);
		return { fromMs: atMs, toMs: atMs };
	}
	const todayMs = nowMs - (nowMs % dayMs);
	const startMs = words === 'today' ? todayMs : words === 'yesterday' ? todayMs - dayMs : undefined;
	return startMs === undefined ? undefined : { fromMs: startMs, toMs: startMs + dayMs - 1 };
}
