import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { commit, tree, reference, repository } from 'sourcehut/rest/wire/repository.ts';
import { decoder } from 'sourcehut/answers/decoding.ts';
import { email, shortEmail, mailingList, patchset } from 'sourcehut/rest/wire/list.ts';
import { ticket, ticketEvent, label, tracker } from 'sourcehut/rest/wire/tracker.ts';
import { webhook, webhookDelivery } from 'sourcehut/rest/wire/webhook.ts';
import { counts, seed } from '../../../support/counts.ts';
import { testInRest } from '../../../support/parts.ts';
import {
	commitJson,
	emailJson,
	shortEmailJson,
	ticketEventJson,
	ticketJson,
	treeJson,
} from '../../../support/wireSamples.ts';

const { extraParagraphs } = await import('../../../../src/editor/ask/extraFields.ts');

const user = { canonical_name: '~alice', name: 'alice' };
const times = { created: '2026-11-20T07:00:00+00:00', updated: '2026-11-20T07:00:00+00:00' };

/** A valid response for each resource, and every decoder of it. */
const resources = [
	{ name: 'tracker', json: { ...times, owner: user, name: 'alpha' }, readers: [decoder(tracker)] },
	{ name: 'ticket', json: sampleOf(ticketJson), readers: [decoder(ticket)] },
	{ name: 'list', json: { ...times, owner: user, name: 'devel' }, readers: [decoder(mailingList)] },
	{
		name: 'patchset',
		json: { ...times, id: 1, subject: 'x', version: 1, status: 'proposed' },
		readers: [decoder(patchset)],
	},
	{ name: 'email', json: sampleOf(emailJson), readers: [decoder(email)] },
	{ name: 'short email', json: sampleOf(shortEmailJson), readers: [decoder(shortEmail)] },
	{ name: 'repository', json: { ...times, id: 1, name: 'proj', visibility: 'public' }, readers: [decoder(repository)] },
	{ name: 'commit', json: sampleOf(commitJson), readers: [decoder(commit)] },
	{ name: 'tree', json: sampleOf(treeJson), readers: [decoder(tree)] },
	{
		name: 'reference',
		json: { name: 'refs/heads/master', target: 'a'.repeat(40), artifacts: [] },
		readers: [decoder(reference)],
	},
	{ name: 'event', json: sampleOf(ticketEventJson), readers: [decoder(ticketEvent)] },
	{
		name: 'label',
		json: { name: 'bug', colors: { background: '#cc0000', text: '#ffffff' }, created: times.created, tracker: {} },
		readers: [decoder(label)],
	},
	{
		name: 'webhook',
		json: { id: 1, created: times.created, url: 'https://ci.test', events: [] },
		readers: [decoder(webhook)],
	},
	{
		name: 'delivery',
		json: {
			id: 'u',
			created: times.created,
			event: 'e',
			url: 'u',
			payload: '',
			payload_headers: '',
			response: null,
			response_status: 200,
			response_headers: null,
		},
		readers: [decoder(webhookDelivery)],
	},
] as const;

function sampleOf(arbitrary: fc.Arbitrary<unknown>): object {
	const [json] = fc.sample(arbitrary, { numRuns: 1, seed: 1 });
	assert.ok(typeof json === 'object' && json !== null);
	return json;
}

suite('unknown fields', () => {
	for (const { name, json, readers } of resources) {
		test(`are kept with a ${name} by every decoder`, () => {
			for (const read of readers) {
				const plain = read(json);
				assert.ok(!('extra' in plain), 'nothing unknown, nothing kept');
				assert.deepEqual(read({ ...json, priority: { level: 3 } }), {
					...plain,
					extra: [{ name: 'priority', json: '{"level":3}' }],
				});
			}
		});
	}

	for (const [at, { name, json, readers }] of resources.entries()) {
		const testResource = at === 0 ? test : testInRest;
		testResource(`are read with a ${name} at any nesting depth`, () => {
			const depth = 400_000;
			for (const [open, close] of [
				['[', ']'],
				['{"a":', '}'],
			] as const) {
				const inner = `${open.repeat(depth)}1${close.repeat(depth)}`;
				const deep: unknown = JSON.parse(`${JSON.stringify(json).slice(0, -1)},"deep":${inner}}`);
				for (const read of readers) {
					const { extra } = read(deep);
					assert.deepEqual(extra, [{ name: 'deep', json: `${inner.slice(0, 199)}…` }]);
				}
			}
		});
	}

	test('appear as JSON up to the length limit', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				const whole = JSON.stringify(value);
				const { extra } = decoder(tracker)({ ...times, owner: user, name: 'alpha', more: value });
				assert.deepEqual(extra, [{ name: 'more', json: whole.length <= 200 ? whole : `${whole.slice(0, 199)}…` }]);
			}),
			{ numRuns: counts({ small: 200, full: 20_000 }), seed: seed() },
		);
	});

	test('are limited in number and length', () => {
		const many = Object.fromEntries(Array.from({ length: 99 }, (_, at) => [`f${at}`, 'x'.repeat(1000)]));
		const { extra = [] } = decoder(tracker)({ ...times, ...many, owner: user, name: 'alpha' });
		assert.equal(extra.length, 20);
		assert.deepEqual(new Set(extra.map(({ json }) => json?.length)), new Set([200]));
	});

	test('appear as plain text', () => {
		const extra = [{ name: '[a](command:x)', json: '"<b>\\u202e$(bug)"' }];
		const [shown = ''] = extraParagraphs({ extra });
		assert.doesNotMatch(shown, /(?<!\\)\]\(|<b>/);
	});
});
