import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { replyCorpus, type CorpusThread } from '../../../../test/support/replyCorpus.ts';
import {
	countedBy,
	damages,
	isInline,
	outcomesOf,
	placementTable,
	share,
	told,
	withDamage,
	type Outcome,
} from '../../../../test/support/replyPlacement.ts';

/** The goal of 95% applies to comments on lines of a patch. */
const leastShare = 0.95;

/** Held-out threads run last, after tuning: FORGE_DESK_TUNING skips them. */
const isTuning = process.env['FORGE_DESK_TUNING'] !== undefined;

function pageText(name: 'data' | 'review'): string {
	return readFileSync(new URL(`../../../../docs/${name}.md`, import.meta.url), 'utf8');
}

suite('replies of the corpus', () => {
	let outcomes: readonly Outcome[] = [];
	let threads: readonly CorpusThread[] = [];
	suiteSetup(async () => {
		threads = await replyCorpus();
		threads = threads.filter(({ isHeldOut }) => !isTuning || !isHeldOut);
		outcomes = threads.flatMap(outcomesOf);
	});

	suiteTeardown(() => {
		console.log(`${placementTable(outcomes, 'mailer')}\n\n${placementTable(outcomes, 'style')}`);
		console.log(`tuned: ${share(outcomes.filter(({ thread }) => !thread.isHeldOut))}`);
		console.log(`held out: ${share(outcomes.filter(({ thread }) => thread.isHeldOut))}`);
		for (const outcome of outcomes.filter(({ isRight }) => !isRight)) {
			console.log(told(outcome));
		}
		for (const outcome of outcomes.filter(({ isOpen, label }) => isOpen !== label.isOpen)) {
			console.log(`${outcome.reply.name}: ${outcome.label.words}: is ${outcome.isOpen ? 'open' : 'not open'}`);
		}
	});

	test('95% of the comments on patch lines get the place that a person chose', () => {
		const inline = outcomes.filter(isInline);
		const wrong = inline.filter(({ isRight }) => !isRight);
		assert.ok(wrong.length <= (1 - leastShare) * inline.length, wrong.map(told).join('\n'));
	});

	test('95% of the comments in each half and in total get the right place', () => {
		for (const some of [
			outcomes,
			outcomes.filter(({ thread }) => thread.isHeldOut),
			outcomes.filter(({ thread }) => !thread.isHeldOut),
		]) {
			const wrong = some.filter(({ isRight }) => !isRight);
			assert.ok(wrong.length <= (1 - leastShare) * some.length, wrong.map(told).join('\n'));
		}
	});

	for (const [name, damage] of Object.entries(damages)) {
		test(`95% of the comments get the right place when ${name}`, () => {
			const damaged = threads.map((thread) => withDamage(thread, damage)).flatMap(outcomesOf);
			const wrong = damaged.filter(({ isRight }) => !isRight);
			console.log(`      ${share(damaged)}`);
			assert.ok(wrong.length <= (1 - leastShare) * damaged.length, wrong.map(told).join('\n'));
		});
	}

	if (!isTuning) {
		for (const by of ['mailer', 'style'] as const) {
			test(`docs/data.md has the current placement counts by ${countedBy[by]}`, () => {
				const table = placementTable(outcomes, by);
				assert.ok(pageText('data').includes(`\n\n${table}\n`), `The table of docs/data.md has to be:\n${table}`);
			});
		}

		test('docs/review.md has the current placement counts', () => {
			assert.ok(
				pageText('review').includes(` ${share(outcomes)} comments `),
				`It has to say ${share(outcomes)} comments`,
			);
		});
	}

	test('no comment gets lost', () => {
		assert.deepEqual(
			outcomes
				.filter(({ comment }) => comment === undefined)
				.map(({ reply, label }) => `${reply.name}: ${label.words}`),
			[],
		);
	});

	test('the open or answered state is right for 95% of the comments', () => {
		const wrong = outcomes.filter(({ isOpen, label }) => isOpen !== label.isOpen);
		assert.ok(wrong.length <= (1 - leastShare) * outcomes.length, wrong.map(told).join('\n'));
	});
});
