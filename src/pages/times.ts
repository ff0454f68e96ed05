import { dayText, fullTime, spokenAge } from '../engine/text/age.ts';
import { h } from './dom.ts';
import { pageEnd } from './pageEnd.ts';

const minuteMs = 60_000;
const weekMs = 7 * 24 * 60 * minuteMs;

/** Relative times within a week, otherwise dates; full time in the tooltip. Updates while the page is open. */
export type Times = ReturnType<typeof times>;

/** Refreshes elements on the page every minute. */
export function times(locale: string) {
	const text = (atMs: number): string =>
		Date.now() - atMs < weekMs ? spokenAge(atMs, Date.now(), locale) : dayText(atMs, locale);

	const timer = setInterval(() => {
		for (const element of document.querySelectorAll('time')) {
			const now = text(Date.parse(element.dateTime));
			if (element.textContent !== now) {
				element.textContent = now;
			}
		}
	}, minuteMs);
	pageEnd.addEventListener('abort', () => clearInterval(timer));

	return {
		element: (atMs: number) =>
			h('time', { datetime: new Date(atMs).toISOString(), title: fullTime(atMs, locale) }, text(atMs)),
	};
}
