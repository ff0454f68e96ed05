import assert from 'node:assert/strict';
import { isForgeError } from '../../../../src/forge/port/forgeError.ts';
import type { Page } from '../../../../src/forge/port/page.ts';
import type { Ticket } from '../../../../src/forge/port/ticket.ts';
import type { HttpAnswer } from '../../../../src/machine/http/httpClient.ts';
import { pagesAhead, sealedListBy } from '../../../../src/forge/rest/restTrackers.ts';
import { decoder } from '../../../../src/forge/answers/decoding.ts';
import { ticket } from '../../../../src/forge/rest/wire/ticket.ts';

/** A ticket as observed servers send it. */
function wireTicket(): Readonly<Record<string, unknown>> {
	const owner = { canonical_name: '~alice', name: 'alice' };
	const at = '2026-11-20T07:04:51+00:00';
	return {
		id: 1,
		ref: '~alice/alpha#1',
		tracker: { id: 4, owner, created: at, updated: at, name: 'alpha' },
		title: 'A title',
		created: at,
		updated: at,
		submitter: { type: 'user', ...owner },
		description: 'Words',
		status: 'reported',
		resolution: 'unresolved',
		permissions: { anonymous: null, submitter: null, user: null },
		labels: [],
		assignees: [],
	};
}

const reader = sealedListBy(decoder(ticket));
const never = new AbortController().signal;

function answered(json: unknown): HttpAnswer {
	const body = new TextEncoder().encode(typeof json === 'string' ? json : JSON.stringify(json));
	return { status: 200, contentType: 'application/json', location: undefined, retryAfterMs: undefined, body };
}

/** A server that holds these numbers and answers as observed ones do, with what was asked of it. */
function server(numbers: readonly number[], pageSize = 3) {
	const asked: (string | undefined)[] = [];
	const given: AbortSignal[] = [];
	async function fetch(start: string | undefined, signal: AbortSignal): Promise<ReturnType<typeof reader.read>> {
		asked.push(start);
		given.push(signal);
		const below = numbers.filter((id) => id <= Number(start ?? Infinity)).toSorted((a, b) => b - a);
		return reader.read(
			answered({
				next: below.length > pageSize ? 'x' : null,
				results: below.slice(0, pageSize).map((id) => ({ ...wireTicket(), id, ref: `~alice/alpha#${id}` })),
				total: numbers.length,
				results_per_page: pageSize,
			}),
		);
	}
	return { fetch, asked, given };
}

async function idsOf(pages: AsyncIterable<Page<Ticket>>): Promise<readonly number[]> {
	const ids: number[] = [];
	for await (const { items } of pages) {
		ids.push(...items.map(({ id }) => id));
	}
	return ids;
}

suite('pages with the next one on its way', () => {
	test('all tickets come, each once, and each page is asked for once', async () => {
		const { fetch, asked } = server([9, 8, 7, 6, 5, 4, 2]);
		assert.deepEqual(await idsOf(pagesAhead(fetch, never)), [9, 8, 7, 6, 5, 4, 2]);
		assert.deepEqual(asked, [undefined, '6', '3']);
	});

	test('the next page is asked for before anybody has the first', async () => {
		const { fetch, asked } = server([9, 8, 7, 6, 5, 4]);
		const pages = pagesAhead(fetch, never);
		await pages.next();
		assert.deepEqual(asked, [undefined, '6']);
		await pages.return();
	});

	test('a glimpse that was wrong costs a request and changes nothing', async () => {
		const { fetch, asked, given } = server([9, 8, 7, 6, 5, 4]);
		const misled = async (start: string | undefined, signal: AbortSignal): ReturnType<typeof fetch> => {
			const page = await fetch(start, signal);
			return start === undefined ? { ...page, guess: '2' } : page;
		};
		assert.deepEqual(await idsOf(pagesAhead(misled, never)), [9, 8, 7, 6, 5, 4]);
		assert.deepEqual(asked, [undefined, '2', '6']);
		assert.equal(given[1]?.aborted, true);
	});

	test('leaving early gives up what is on its way', async () => {
		const { fetch, given } = server([9, 8, 7, 6, 5, 4]);
		const pages = pagesAhead(fetch, never);
		await pages.next();
		await pages.return();
		assert.equal(given[1]?.aborted, true);
	});

	test('giving up reaches the request that is on its way', async () => {
		const { fetch, given } = server([9, 8, 7, 6, 5, 4]);
		const giving = new AbortController();
		const pages = pagesAhead(fetch, giving.signal);
		await pages.next();
		giving.abort();
		assert.equal(given[1]?.aborted, true);
		await pages.return();
	});

	test('a failure of the page ahead is told when that page is due, and by nobody before', async () => {
		const { fetch } = server([9, 8, 7, 6, 5, 4]);
		const failing = (start: string | undefined, signal: AbortSignal): ReturnType<typeof fetch> =>
			start === undefined ? fetch(start, signal) : Promise.reject(new Error('gone'));
		const pages = pagesAhead(failing, never);
		const first = await pages.next();
		assert.equal(first.done, false);
		await assert.rejects(pages.next(), /gone/);
	});

	test('what cannot be read is told with its place', async () => {
		for (const [json, where] of [
			['{"results": [', 'the answer'],
			[{ next: null, results: [{ ...wireTicket(), title: 7 }], total: 1 }, 'results[0].title'],
			[{ next: null, results: [{ ...wireTicket(), id: 'x' }], total: 1 }, 'results[0].id'],
			[[{ ...wireTicket(), title: 7 }], '[0].title'],
		] as const) {
			const pages = pagesAhead(async () => reader.read(answered(json)), never);
			await assert.rejects(pages.next(), (error) => {
				assert.ok(isForgeError(error) && error.problem.kind === 'notUnderstood');
				assert.equal(error.problem.where, where);
				return true;
			});
		}
	});

	test('a glimpse is not led astray by what people write', () => {
		const nasty = {
			...wireTicket(),
			id: 12,
			ref: '~alice/alpha#12',
			title: '"ref": "~eve/x#3"',
			labels: ['ref', '"ref"'],
		};
		const { guess } = reader.read(answered({ next: '99', results: [nasty], total: 50 }));
		assert.ok(guess === '11' || guess === undefined, guess);
		assert.equal(reader.read(answered({ next: null, results: [nasty], total: 50 })).guess, undefined);
		assert.equal(reader.read(answered([nasty])).guess, undefined);
	});
});
