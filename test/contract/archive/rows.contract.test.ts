import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { archiveClient } from 'public-inbox/http/archiveClient.ts';
import { archiveLists } from 'public-inbox/port/archiveLists.ts';
import type { HttpClient } from 'sourcehut/http/httpClient.ts';
import { undiciClient } from 'sourcehut/http/undiciClient.ts';
import { hastyClock, transportOver } from '../../support/archiveTransport.ts';
import { directTransport, systemClock, wanted } from '../../support/contractForge.ts';
import { limitMs } from '../../support/pace.ts';
import { startArchive, type RealArchive } from '../../support/realArchive.ts';

const folder = join(import.meta.dirname, '../../../test/corpus/series/inPart');

/** Mails by inbox: one for each mailbox, and one with words that are no patches. */
function mails(): Readonly<Record<string, readonly Buffer[]>> {
	const made = readdirSync(folder).map((file) => {
		const texts = readFileSync(join(folder, file), 'utf8').split(/^From x@made\.example .*\n/m);
		return [file.replace('.mbox', ''), texts.filter((text) => text !== '').map((text) => Buffer.from(text))] as const;
	});
	const words = ['[RFC] a policy for headers', '[v2] meeting notes', 'v4l: a question'].map((subject, at) =>
		Buffer.from(
			`From: Tom <tom@t.example>\nSubject: ${subject}\nMessage-ID: <words-${at}@t.example>\nDate: Mon, 02 Mar 2026 11:00:0${at} +0000\n\nWhat do you think?\n`,
		),
	);
	return { ...Object.fromEntries(made), words };
}

const expected = {
	'came-in-part': ['v1 ee: all, without 2'],
	'name-corrected': ['v1 hh: one'],
	// A part came twice within a minute.
	'partly-resent': ['v1 dd: one', 'v2 dd: all', 'v2 dd: one'],
	'rfc-single': ['v1 bb: one', 'v2 bb: one'],
	'version-alone': ['v1 aa: one', 'v2 aa: one'],
	// One of two patches lacks the version.
	'version-on-one': ['v1 cc: two', 'v2 cc: one'],
	words: [],
};

suite('rows of an archive before their threads are read', () => {
	let archive: RealArchive;
	let http: HttpClient;
	suiteSetup(async function () {
		this.timeout(limitMs(120_000));
		archive = await startArchive(mails());
		http = undiciClient({ transport: directTransport, clock: systemClock, random: () => 0 });
	});
	suiteTeardown(async () => {
		await http.close();
		await archive.stop();
	});

	test('are all sets with a patch, and name the patches that have not arrived', async function () {
		this.timeout(limitMs(120_000));
		let requests = 0;
		const over = transportOver(http);
		const client = archiveClient({
			transport: (request, signal) => ((requests += 1), over(request, signal)),
			clock: hastyClock(),
			mirrors: () => ({}),
		});
		const use = { inboxes: () => ['devel'], ownAddresses: async () => [], clock: systemClock };
		const api = archiveLists(client, archive.siteUrl, use);
		const found: Record<string, readonly string[]> = {};
		for (const name of Object.keys(expected)) {
			requests = 0;
			const { value } = await api.patchsets({ owner: new URL(archive.siteUrl).host, name }, wanted()).next();
			assert.equal(requests, 1, name);
			found[name] = (value?.items ?? [])
				.map(
					({ subject, version, missing }) =>
						`v${version} ${subject}${missing ? `, without ${missing.indexes.join()}` : ''}`,
				)
				.toSorted();
		}
		assert.deepEqual(found, expected);
	});
});
