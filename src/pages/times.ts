import { h } from './dom.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const weekMs = 7 * dayMs;
const steps = [
	{ unit: 'day', lengthMs: dayMs },
	{ unit: 'hour', lengthMs: 60 * minuteMs },
	{ unit: 'minute', lengthMs: minuteMs },
] as const;

/** Relative times within a week, otherwise dates; full time in the tooltip. Updates while the page is open. */
export type Times = ReturnType<typeof times>;

/** Refreshes elements on the page every minute. */
export function times(locale: string) {
	const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
	const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
	const absolute = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'medium' });

	function text(atMs: number): string {
		const passedMs = Math.max(0, Date.now() - atMs);
		if (passedMs >= weekMs) {
			return date.format(atMs);
		}
		const step = steps.find(({ lengthMs }) => passedMs >= lengthMs);
		return step ? relative.format(-Math.floor(passedMs / step.lengthMs), step.unit) : relative.format(0, 'second');
	}

	setInterval(() => {
		for (const element of document.querySelectorAll('time')) {
			const now = text(Date.parse(element.dateTime));
			if (element.textContent !== now) {
				element.textContent = now;
			}
		}
	}, minuteMs);

	return {
		element: (atMs: number) =>
			h('time', { datetime: new Date(atMs).toISOString(), title: absolute.format(atMs) }, text(atMs)),
	};
}
