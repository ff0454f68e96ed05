import type { TimeSpan } from './listTerm.ts';

/**
 * What `sender-timestamp:` may be followed by: seconds since 1970 as on the forge, a year, month or day in UTC, one of
 * these behind `<`, `<=`, `>` or `>=`, or two of them around `..`. `undefined` for anything else.
 */
export function timeSpanOf(text: string): TimeSpan | undefined {
	const [first = '', last, ...more] = text.split('..');
	if (last === undefined) {
		return comparedTo(text);
	}
	const [from, to] = [moment(first), moment(last)];
	return more.length > 0 || from === undefined || to === undefined || from.fromMs >= to.toMs
		? undefined
		: { fromMs: from.fromMs, toMs: to.toMs };
}

function comparedTo(text: string): TimeSpan | undefined {
	const sign = /^[<>]=?/.exec(text)?.[0] ?? '';
	const at = moment(text.slice(sign.length));
	if (at === undefined || sign === '') {
		return at;
	}
	const isOpenBelow = sign.startsWith('<');
	// What is compared may count in or not, whatever its length.
	const edgeMs = isOpenBelow === (sign.length === 2) ? at.toMs : at.fromMs;
	return isOpenBelow ? { fromMs: -Infinity, toMs: edgeMs } : { fromMs: edgeMs, toMs: Infinity };
}

/** The time that a second, day, month or year takes. Four digits are a year. */
function moment(text: string): TimeSpan | undefined {
	if (/^\d{5,12}$/.test(text)) {
		return { fromMs: Number(text) * 1000, toMs: (Number(text) + 1) * 1000 };
	}
	const [, years, months, days] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(text) ?? [];
	if (years === undefined) {
		return undefined;
	}
	const [year, month, day] = [Number(years), Number(months ?? 1), Number(days ?? 1)];
	const fromMs = Date.UTC(year, month - 1, day);
	const isDate = new Date(fromMs).getUTCMonth() === month - 1 && new Date(fromMs).getUTCDate() === day;
	const toMs =
		months === undefined
			? Date.UTC(year + 1)
			: days === undefined
				? Date.UTC(year, month)
				: Date.UTC(year, month - 1, day + 1);
	return isDate && year >= 1000 ? { fromMs, toMs } : undefined;
}
