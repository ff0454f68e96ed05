import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import * as v from 'valibot';
import { answer, handler } from '../../../src/protocol/channel.ts';
import { clickedHref, nothing, ticketPageSend, typedText } from '../../../src/protocol/ticketProtocol.ts';
import { counts, seed } from '../../support/counts.ts';

suite('ticket page requests', () => {
	test('a comment with or without a move is understood', () => {
		const resolve = { kind: 'resolve', resolution: 'fixed' };
		assert.deepEqual(v.parse(ticketPageSend, { comment: 'x', move: resolve }), { comment: 'x', move: resolve });
		assert.deepEqual(v.parse(ticketPageSend, { comment: 'x' }), { comment: 'x', move: undefined });
	});

	test('anything else is refused', () => {
		const wrong = [
			undefined,
			{},
			{ comment: 1 },
			{ comment: 'x', move: { kind: 'delete' } },
			{ comment: 'x', move: { kind: 'reopen', resolution: 'fixed' } },
			{ comment: 'x', labels: [] },
			{ comment: 'x'.repeat(100_001) },
		];
		for (const value of wrong) {
			assert.equal(v.safeParse(ticketPageSend, value).success, false, JSON.stringify(value)?.slice(0, 80));
		}
	});

	test('no forged message throws or has an effect beyond the known verbs', async function () {
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
