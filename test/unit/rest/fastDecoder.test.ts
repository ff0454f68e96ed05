import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { decoder, Misread } from '../../../src/answers/decoding.ts';
import type { Decoder } from '../../../src/answers/decoding.ts';
import { ticketDecoder } from '../../../src/rest/wire/fastTicket.ts';
import { ticket } from '../../../src/rest/wire/ticket.ts';
import { counts, seed } from '../../support/counts.ts';
import { spoiling, spoilt, ticketJson } from '../../support/wireSamples.ts';

/** What a decoder makes of a value: the value read, or the spot and reason of its refusal. */
function outcome(decode: Decoder<unknown>, value: unknown): unknown {
	try {
		return { read: decode(value) };
	} catch (error) {
		if (error instanceof Misread) {
			return { at: error.at, why: error.why };
		}
		throw error;
	}
}

const schema = decoder(ticket);
const numRuns = counts({ small: 200, full: 20_000 });

suite('The straight-line decoder of tickets', function () {
	this.timeout(600_000);
	test('reads them as their schema does, page after page', () => {
		fc.assert(
			fc.property(fc.array(ticketJson, { maxLength: 4 }), (page) => {
				const decode = ticketDecoder();
				for (const item of page) {
					assert.deepEqual(outcome(decode, item), outcome(schema, item));
					assert.ok('read' in Object(outcome(decode, item)));
				}
			}),
			{ numRuns, seed: seed() },
		);
	});

	test('refuses spoilt ones where their schema does, and reads what it reads', () => {
		fc.assert(
			fc.property(fc.array(fc.tuple(ticketJson, fc.array(spoiling, { maxLength: 2 })), { maxLength: 4 }), (page) => {
				const decode = ticketDecoder();
				for (const [item, changes] of page) {
					const value = changes.reduce<unknown>(spoilt, item);
					assert.deepEqual(outcome(decode, value), outcome(schema, value));
				}
			}),
			{ numRuns: numRuns * 3, seed: seed() },
		);
	});
});
