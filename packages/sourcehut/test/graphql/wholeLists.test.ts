import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { onOnePage } from '../support/pagedWorlds.ts';
import type { Pages } from '../../src/port/page.ts';
import { refText } from '../../src/port/namedRef.ts';
import { refOfList } from '../../src/port/list.ts';
import type { Email, MailingList } from 'sample-forge/lists/mailModel.ts';
import { wanted } from '../../../../test/support/contractForge.ts';
import { counts, seed } from '../../../../test/support/counts.ts';
import { listsInProcess, type ListsInProcess } from '../../../../test/support/listsInProcess.ts';

const startMs = Date.UTC(2026, 10, 1);
const endMs = startMs + 400 * 24 * 60 * 60 * 1000;
const devel = { owner: '~alice', name: 'devel' };

/** One arrival: a message, a reply or a series. */
interface Arrival {
	readonly kind: 'topic' | 'answer' | 'series';
	/** Delay after the previous arrival. */
	readonly afterMs: number;
	/** Index of the message replied to, or the length of a series. */
	readonly of: number;
	readonly text: string;
}

const texts = fc.constantFrom('Hello', '', '> Quoted alone', '> Quoted\n\nFrom here on', '>From there\n\nGrün');

/** Mostly discussion with an occasional long series, or many short series that fill pages. */
const kinds = [
	{ topic: 6, answer: 3, series: 1, mostOf: 40 },
	{ topic: 1, answer: 1, series: 8, mostOf: 2 },
] as const;

/** Arrivals with whole seconds, or many within the same second. */
function arrivals(most: number): fc.Arbitrary<readonly Arrival[]> {
	const pauses = fc.constantFrom<readonly number[]>([60_000], [60_500, 59_500], [0], [0, 1000], [0, 250, 1000, 7300]);
	return fc.tuple(pauses, fc.constantFrom(...kinds)).chain(([pause, { topic, answer, series, mostOf }]) =>
		fc.array(
			fc.record({
				kind: fc.oneof(
					{ weight: topic, arbitrary: fc.constant('topic' as const) },
					{ weight: answer, arbitrary: fc.constant('answer' as const) },
					{ weight: series, arbitrary: fc.constant('series' as const) },
				),
				afterMs: fc.constantFrom(...pause),
				of: fc.nat(mostOf),
				text: texts,
			}),
			{ maxLength: most, size: 'max' },
		),
	);
}

const diff = '---\n\ndiff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1,2 @@\n a\n+b\n';

class World {
	readonly forge: ListsInProcess;
	readonly list: MailingList;
	readonly #mostMails: number;
	#nowMs = startMs;
	#count = 0;

	constructor(arriving: readonly Arrival[], mostMails: number) {
		this.#mostMails = mostMails;
		this.forge = listsInProcess(endMs);
		this.list = this.forge.store.addList(this.forge.alice, 'devel', null, startMs);
		arriving.forEach((arrival) => this.#arrive(arrival));
	}

	#arrive({ kind, afterMs, of, text }: Arrival): void {
		const { emails } = this.list;
		const answered = kind === 'answer' ? emails[of % Math.max(1, emails.length)] : undefined;
		if (kind === 'series') {
			let first: string | undefined;
			for (let index = 1; index <= of; index += 1) {
				first ??= this.#mail({
					afterMs,
					subject: `[PATCH ${index}/${of}] Change`,
					text: `${text}\n${diff}`,
					answers: first,
				});
				if (index > 1) {
					this.#mail({ afterMs, subject: `[PATCH ${index}/${of}] Change`, text: diff, answers: first });
				}
			}
		} else {
			this.#mail({ afterMs, subject: 'Topic', text, answers: answered?.messageId });
		}
	}

	#mail(mail: { afterMs: number; subject: string; text: string; answers: string | undefined }): string {
		const id = `<${++this.#count}@made.example>`;
		const raw = [
			`Message-ID: ${id}`,
			...(mail.answers === undefined ? [] : [`In-Reply-To: ${mail.answers}`]),
			'From: Bob <bob@forge.test>',
			`Subject: ${mail.subject}`,
			'',
			mail.text,
			'',
		].join('\n');
		this.#nowMs += mail.afterMs;
		if (this.list.emails.length < this.#mostMails) {
			this.forge.store.receive(this.list, Buffer.from(raw), this.#nowMs);
		}
		return id;
	}
}

interface Listed {
	readonly ids: readonly number[];
	readonly isWhole: boolean;
}

async function listed(pages: Pages<{ readonly id: number }>): Promise<Listed> {
	const ids: number[] = [];
	let isWhole = false;
	for await (const { items, completeness } of pages) {
		ids.push(...items.map(({ id }) => id));
		isWhole = completeness.kind === 'complete';
	}
	return { ids, isWhole };
}

/** Asserts that the result is complete, or a marked part of the truth. */
function neverLacksInSilence({ ids, isWhole }: Listed, truth: readonly { readonly id: number }[]): void {
	const there = new Set(truth.map(({ id }) => id));
	assert.equal(new Set(ids).size, ids.length);
	assert.ok(ids.every((id) => there.has(id)));
	assert.ok(!isWhole || ids.length === there.size, `${ids.length} of ${there.size} are called all`);
}

/** Text as in a mailbox, without CR. */
function textOf({ text }: Email): string {
	return text.replaceAll('\r\n', '\n');
}

const mostMails = counts({ least: 120, small: 120, full: 300 });
const numRuns = counts({ least: 40, small: 40, full: 10_000 });
/** Without shrinking: it would take longer than everything else. */
const rounds = { numRuns, seed: seed(), endOnFailure: true };

suite('completeness of lists over GraphQL', function () {
	// Ten thousand worlds take some minutes.
	this.timeout(1_800_000);

	test('posts, patchsets, threads and series are complete or marked as incomplete', async () => {
		const seen = { whole: 0, part: 0 };
		await fc.assert(
			fc.asyncProperty(arrivals(mostMails), fc.nat(), async (arriving, pick) => {
				const { forge, list } = new World(arriving, mostMails);
				const { lists } = forge;
				const roots = list.emails.filter(({ root }) => root === null);
				for (const [pages, truth] of [
					[lists.posts(devel, wanted()), roots],
					[lists.patchsets(devel, wanted()), list.patchsets],
				] as const) {
					const got = await listed(pages);
					neverLacksInSilence(got, truth);
					seen[got.isWhole ? 'whole' : 'part'] += 1;
				}
				const longest = roots.toSorted((a, b) => b.answers.length - a.answers.length)[0];
				for (const root of new Set([longest, roots[pick % Math.max(1, roots.length)]])) {
					const truth = root === undefined ? [] : [root, ...root.answers];
					const thread = root === undefined ? [] : await lists.thread(root.id, wanted());
					assert.deepEqual(
						new Map(thread.map((mail) => [mail.id, 'envelope' in mail ? mail.envelope.replaceAll('\r\n', '\n') : ''])),
						new Map(truth.map((mail) => [mail.id, textOf(mail)])),
					);
				}
				const set = list.patchsets[pick % Math.max(1, list.patchsets.length)];
				if (set !== undefined) {
					const got = await listed(lists.patches({ list: devel, id: set.id }, wanted()));
					assert.deepEqual(got, { ids: set.patches.map(({ id }) => id), isWhole: true });
				}
			}),
			rounds,
		);
		// Both outcomes occurred.
		assert.ok(seen.whole > 0 && seen.part > 0);
	});

	test('all messages of a list are complete or marked as incomplete', async () => {
		const seen = { whole: 0, part: 0 };
		// Most lists end around the first page to keep the test fast.
		const most = fc.oneof({ weight: 8, arbitrary: arrivals(35) }, { weight: 1, arbitrary: arrivals(mostMails) });
		await fc.assert(
			fc.asyncProperty(most, async (arriving) => {
				const { forge, list } = new World(arriving, mostMails);
				const got = await listed(forge.lists.mails?.(devel, wanted()) ?? assert.fail());
				neverLacksInSilence(got, list.emails);
				seen[got.isWhole ? 'whole' : 'part'] += 1;
			}),
			rounds,
		);
		assert.ok(seen.whole > 0 && seen.part > 0);
	});

	test('lists and subscriptions are complete or marked as incomplete, with any hidden lists among them', async () => {
		const manyLists = fc.record({
			hidden: fc.oneof(
				{ weight: 8, arbitrary: fc.array(fc.boolean(), { maxLength: 70, size: 'max' }) },
				{ weight: 1, arbitrary: fc.array(fc.boolean(), { maxLength: mostMails, size: 'max' }) },
			),
			/** Whole and fractional seconds, and all within one second. */
			pauseMs: fc.constantFrom(60_000, 59_500, 0, 250),
		});
		await fc.assert(
			fc.asyncProperty(manyLists, async ({ hidden, pauseMs }) => {
				const { store, alice, bob, lists } = listsInProcess(endMs);
				const made = hidden.map((isHidden, at) => {
					const madeMs = startMs + at * pauseMs;
					const list = store.addList(isHidden ? bob : alice, `list-${at}`, null, madeMs);
					if (isHidden) {
						Object.assign(list.permissions, { nonsubscriber: [], subscriber: [], account: [] });
					}
					if (isHidden || at % 2 === 0) {
						store.subscribe(alice, list, madeMs);
					}
					return list;
				});
				const own: string[] = [];
				let ownWhole = false;
				for await (const { items, completeness } of lists.lists(undefined, wanted())) {
					own.push(...items.map((each) => refText(refOfList(each))));
					ownWhole = completeness.kind === 'complete';
				}
				const expected = made.filter(({ owner }) => owner === alice).map(({ name }) => `~alice/${name}`);
				// A server shows at most the newest 25 of an owner.
				const told = expected.slice(-onOnePage);
				assert.deepEqual([own.toSorted(), ownWhole], [told.toSorted(), expected.length <= onOnePage]);
				const truth = store.subscriptions.filter(({ user }) => user === alice);
				const got = await listed(lists.subscriptions([], wanted()));
				neverLacksInSilence(got, truth);
				const visible = truth.filter(({ list: { owner } }) => owner === alice).map(({ id }) => id);
				if (truth.length <= onOnePage) {
					assert.deepEqual(new Set(got.ids), new Set(visible));
				} else {
					assert.ok(!got.isWhole && got.ids.every((id) => visible.includes(id)));
				}
			}),
			rounds,
		);
	});
});
