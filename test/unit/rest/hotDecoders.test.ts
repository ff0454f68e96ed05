import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { commit, tree } from '../../../src/rest/wire/commit.ts';
import { decoder, Misread } from '../../../src/rest/wire/decoding.ts';
import type { Decoder } from '../../../src/rest/wire/decoding.ts';
import { email, shortEmail } from '../../../src/rest/wire/email.ts';
import { commitDecoder } from '../../../src/rest/wire/hotCommit.ts';
import { emailDecoder, shortEmailDecoder } from '../../../src/rest/wire/hotEmail.ts';
import { ticketDecoder } from '../../../src/rest/wire/hotTicket.ts';
import { ticketEventDecoder } from '../../../src/rest/wire/hotTicketEvent.ts';
import { treeDecoder } from '../../../src/rest/wire/hotTree.ts';
import { ticket } from '../../../src/rest/wire/ticket.ts';
import { ticketEvent } from '../../../src/rest/wire/ticketEvent.ts';
import { counts, seed } from '../../support/counts.ts';
import {
	commitJson,
	emailJson,
	shortEmailJson,
	spoiling,
	spoilt,
	ticketEventJson,
	ticketJson,
	treeJson,
} from '../../support/wireSamples.ts';

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

interface Resource {
	readonly name: string;
	readonly json: fc.Arbitrary<unknown>;
	readonly hot: () => Decoder<unknown>;
	readonly schema: Decoder<unknown>;
}

const resources: readonly Resource[] = [
	{ name: 'tickets', json: ticketJson, hot: ticketDecoder, schema: decoder(ticket) },
	{ name: 'events', json: ticketEventJson, hot: ticketEventDecoder, schema: decoder(ticketEvent) },
	{ name: 'commits', json: commitJson, hot: commitDecoder, schema: decoder(commit) },
	{ name: 'trees', json: treeJson, hot: treeDecoder, schema: decoder(tree) },
	{ name: 'emails', json: emailJson, hot: emailDecoder, schema: decoder(email) },
	{ name: 'short emails', json: shortEmailJson, hot: shortEmailDecoder, schema: decoder(shortEmail) },
];

const numRuns = counts({ small: 200, full: 20_000 });

suite('Straight-line decoders', () => {
	for (const { name, json, hot, schema } of resources) {
		test(`read ${name} as their schema does, page after page`, () => {
			fc.assert(
				fc.property(fc.array(json, { maxLength: 4 }), (page) => {
					const decode = hot();
					for (const item of page) {
						assert.deepEqual(outcome(decode, item), outcome(schema, item));
						assert.ok('read' in Object(outcome(decode, item)));
					}
				}),
				{ numRuns, seed: seed() },
			);
		});

		test(`refuse spoilt ${name} where their schema does, and read what it reads`, () => {
			fc.assert(
				fc.property(fc.array(fc.tuple(json, fc.array(spoiling, { maxLength: 2 })), { maxLength: 4 }), (page) => {
					const decode = hot();
					for (const [item, changes] of page) {
						const value = changes.reduce<unknown>(spoilt, item);
						assert.deepEqual(outcome(decode, value), outcome(schema, value));
					}
				}),
				{ numRuns: numRuns * 3, seed: seed() },
			);
		});
	}
});
