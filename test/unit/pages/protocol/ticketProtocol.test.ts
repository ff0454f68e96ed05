import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import * as v from 'valibot';
import { answer, handler, clickedHref, nothing } from '../../../../src/pages/protocol/pageProtocol.ts';
import {
	commentEdit,
	completionWish,
	keptDraft,
	nameChange,
	ticketPageSend,
	timelineOrder,
	typedText,
	webPlace,
} from '../../../../src/pages/protocol/ticketProtocol.ts';
import { counts, seed } from '../../../support/counts.ts';

suite('ticket page requests', () => {
	test('accepts a comment with or without a move', () => {
		const wish = { comment: 'x', move: 'resolve:fixed' };
		assert.deepEqual(v.parse(ticketPageSend, wish), wish);
		assert.deepEqual(v.parse(ticketPageSend, { comment: 'x' }), { comment: 'x' });
	});

	test('accepts a draft of a new or an edited comment', () => {
		assert.deepEqual(v.parse(keptDraft, { text: 'x', atMs: 1 }), { text: 'x', atMs: 1 });
		assert.deepEqual(v.parse(keptDraft, { text: 'x', atMs: 1, entryId: 7 }), { text: 'x', atMs: 1, entryId: 7 });
	});

	const wrong: readonly (readonly [string, v.GenericSchema, readonly unknown[]])[] = [
		[
			'send',
			ticketPageSend,
			[
				undefined,
				{},
				{ comment: 1 },
				{ comment: 'x', move: {} },
				{ comment: 'x', labels: [] },
				{ comment: 'x'.repeat(100_001) },
			],
		],
		['keepDraft', keptDraft, [{ text: 'x' }, { text: 'x', atMs: Number.NaN }, { text: 'x', atMs: 1, entryId: -1 }]],
		[
			'changeLabels and changeAssignees',
			nameChange,
			[{}, { add: ['a'] }, { add: 'a', remove: [] }, { add: [], remove: [], set: [] }],
		],
		['editComment', commentEdit, [{ entryId: 1 }, { entryId: '1', text: 'x' }, { entryId: 1.5, text: 'x' }]],
		[
			'complete',
			completionWish,
			[{ kind: 'colour', text: 'x' }, { kind: 'person' }, { kind: 'ticket', text: 'x'.repeat(257) }],
		],
		['openOnWeb', webPlace, ['https://evil.test', '', undefined]],
		['keepOrder', timelineOrder, ['random', 1]],
	];
	for (const [name, schema, values] of wrong) {
		test(`rejects any other value (${name})`, () => {
			for (const value of values) {
				assert.equal(v.safeParse(schema, value).success, false, JSON.stringify(value)?.slice(0, 80));
			}
		});
	}

	test('a forged message neither throws nor has an effect beyond the known verbs', async function () {
		this.timeout(300_000);
		let effects = 0;
		const count = async (): Promise<null> => {
			effects += 1;
			return null;
		};
		const handlers = {
			load: handler(nothing, count),
			send: handler(ticketPageSend, count),
			preview: handler(typedText, count),
			follow: handler(clickedHref, count),
		};
		const name = fc.oneof(fc.constantFrom('load', 'send', 'preview', 'follow', 'update', '__proto__'), fc.string());
		const forged = fc.oneof(
			fc.anything(),
			fc.record({ kind: fc.constant('ask'), id: fc.anything(), name, value: fc.anything() }),
			fc.record({ kind: fc.constant('ask'), id: fc.nat(), name: fc.string(), value: fc.anything() }),
		);
		await fc.assert(
			fc.asyncProperty(forged, async (message) => {
				const before = effects;
				const reply = await answer(handlers, message, () => 'refused');
				assert.ok(reply === undefined || reply.kind === 'refusal' || effects === before + 1);
			}),
			{ numRuns: counts({ small: 2000, full: 100_000 }), seed: seed() },
		);
	});
});
