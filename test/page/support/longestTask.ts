import type { Page } from 'playwright-core';
import * as v from 'valibot';

const traced = v.object({
	name: v.string(),
	tid: v.number(),
	/** CPU time in microseconds. */
	tdur: v.optional(v.number()),
});

/**
 * CPU time of the page's longest task during `act`, in milliseconds, by the browser's trace. Time of other programs
 * does not count.
 */
export async function longestTaskMs(page: Page, act: () => Promise<unknown>): Promise<number> {
	const devtools = await page.context().newCDPSession(page);
	const events: unknown[] = [];
	const ended = Promise.withResolvers<void>();
	devtools.on('Tracing.dataCollected', ({ value }) => events.push(...value));
	devtools.on('Tracing.tracingComplete', () => ended.resolve());
	await devtools.send('Tracing.start', {
		transferMode: 'ReportEvents',
		traceConfig: { includedCategories: ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'toplevel'] },
	});
	await act();
	await devtools.send('Tracing.end');
	await ended.promise;
	await devtools.detach();
	const known = events
		.map((event) => v.safeParse(traced, event))
		.flatMap(({ success, output }) => (success ? [output] : []));
	const main = known.find(({ name }) => name === 'Layout')?.tid;
	const tasks = known.filter(({ name, tid }) => tid === main && name.endsWith('RunTask'));
	return Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur / 1000));
}
