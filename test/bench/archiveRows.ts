import '../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { archiveClient } from 'public-inbox/http/archiveClient.ts';
import { archiveLists } from 'public-inbox/port/archiveLists.ts';
import { undiciClient } from 'sourcehut/http/undiciClient.ts';
import { ListStore } from '../../src/store/lists/listStore.ts';
import { hastyClock, transportOver } from '../support/archiveTransport.ts';
import { directTransport, systemClock } from '../support/contractForge.ts';
import { keptNames } from '../support/fakeConnection.ts';
import { journalInMemory } from '../support/journalInMemory.ts';
import { startLocalServer } from '../support/localServer.ts';
import { blockFigure, countFigure, ratioFigure } from './figures.ts';
import { compare } from './interleaved.ts';
import { longestBlock } from './longestBlock.ts';
import type { Figure, Size } from './measurement.ts';

const sizes = { full: { latencyMs: 10, rounds: 41 }, smallest: { latencyMs: 0, rounds: 1 } } as const;
const never = new AbortController().signal;
const rows = 200;
const mails = 100_000;

/** The first rows of a list with 100,000 mails, to one request for the same page without a reader. */
export async function measure(size: Size): Promise<readonly Figure[]> {
	const { latencyMs, rounds } = sizes[size];
	await using owned = new AsyncDisposableStack();
	const page = Buffer.from(searchPage());
	const server = await startLocalServer((_, response) => {
		setTimeout(() => response.writeHead(200, { 'content-type': 'text/html; charset=UTF-8' }).end(page), latencyMs);
	});
	owned.defer(() => server.stop());
	const http = undiciClient({ transport: directTransport, clock: systemClock, random: () => 0 });
	owned.defer(() => http.close());
	const list = { owner: new URL(server.origin).host, name: 'devel' };

	async function ours(): Promise<void> {
		const client = archiveClient({ transport: transportOver(http), clock: hastyClock(), mirrors: () => ({}) });
		const use = { inboxes: () => ['devel'], ownAddresses: async () => [], clock: systemClock };
		const api = archiveLists(client, `${server.origin}/`, use);
		const lists = new ListStore({ journal: journalInMemory(), api, me: '', followed: keptNames() });
		const { items } = await lists.patchsets(list).first(never);
		assert.ok(items.length > rows / 5, String(items.length));
		lists.dispose();
	}

	async function bare(): Promise<void> {
		const path = '/devel/?q=bare&l=200';
		const answer = await http.send({ method: 'GET', origin: server.origin, path, limitBytes: 2 ** 24, signal: never });
		assert.equal(answer.body.byteLength, page.byteLength);
	}

	const before = server.seen.length;
	await ours();
	const requests = server.seen.length - before;
	const comparison = await compare({ name: 'ours', run: ours }, { name: 'bare request', run: bare }, rounds);
	return [
		countFigure('Requests for the first rows of an archive', 1, requests, `${rows} of ${mails} mails`),
		ratioFigure(`First rows of an archive, to a bare request at ${latencyMs} ms latency`, 1.3, comparison),
		blockFigure(
			'Longest block while they are read',
			await longestBlock(ours, 5),
			`${rows} rows, ${page.byteLength} bytes`,
		),
	];
}

/** As public-inbox writes it: series of three patches with a cover letter. */
function searchPage(): string {
	const lines = Array.from({ length: rows }, (_, at) => {
		const series = Math.floor(at / 4);
		const subject = `[PATCH v2 ${3 - (at % 4)}/3] mm: part ${at} of series ${series} &amp; more words of a title`;
		const minute = String(59 - (series % 60)).padStart(2, '0');
		return `${at + 1}. <b><a\nhref="20261120.${series}.4711-${4 - (at % 4)}-author${series % 7}@a.example/">${subject}</a></b>\n   - by Author ${series % 7} @ 2026-11-20 10:${minute} UTC [99%]\n`;
	});
	return `<html><head><title>q - search results</title></head><body><pre><a\nhref="_/text/help/">help</a>\nResults 1-${rows} of ~${mails}\n\n${lines.join('\n')}</pre></body></html>`;
}
