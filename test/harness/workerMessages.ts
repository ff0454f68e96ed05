import * as v from 'valibot';

/** What a worker is told: to run a file, or that there is none left. */
export const order = v.variant('kind', [
	v.object({ kind: v.literal('run'), file: v.string() }),
	v.object({ kind: v.literal('end') }),
]);

/** What a worker tells: that a test begins or ends, and that a file has ended. */
export const news = v.variant('kind', [
	v.object({ kind: v.literal('at'), title: v.string() }),
	v.object({
		kind: v.literal('ended'),
		ms: v.number(),
		passed: v.number(),
		failed: v.number(),
		skipped: v.number(),
		notRun: v.number(),
	}),
]);

export type Order = v.InferOutput<typeof order>;
export type News = v.InferOutput<typeof news>;
