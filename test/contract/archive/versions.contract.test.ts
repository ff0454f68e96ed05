import '../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { archiveClient } from 'public-inbox/http/archiveClient.ts';
import { archiveLists } from 'public-inbox/port/archiveLists.ts';
import { undiciClient } from 'sourcehut/http/undiciClient.ts';
import type { HttpClient } from 'sourcehut/http/httpClient.ts';
import type { Forge } from 'sourcehut/port/forge.ts';
import { ListStore } from '../../../src/store/lists/listStore.ts';
import { hastyClock, transportOver } from '../../support/archiveTransport.ts';
import { directTransport, systemClock, wanted } from '../../support/contractForge.ts';
import { keptNames } from '../../support/fakeConnection.ts';
import { journalInMemory } from '../../support/journalInMemory.ts';
import { mailStores } from '../../support/mailStores.ts';
import { limitMs } from '../../support/pace.ts';
import { startArchive, type RealArchive } from '../../support/realArchive.ts';
import { standFor } from '../../support/standFor.ts';

const dayMs = 86_400_000;
const diff = 'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n';

function mail(given: {
	readonly id: string;
	readonly subject: string;
	readonly day: number;
	readonly from?: string;
	readonly above?: string | undefined;
	readonly text?: string;
}): Buffer {
	const { id, subject, day, from = 'Ann Author <ann@a.example>', above, text = 'Some words.\n' } = given;
	const named = above === undefined ? '' : `In-Reply-To: <${above}>\nReferences: <${above}>\n`;
	const date = new Date(Date.UTC(2026, 0, 1) + day * dayMs).toUTCString().replace('GMT', '+0000');
	return Buffer.from(
		`From: ${from}\nTo: devel@lists.example\nSubject: ${subject}\nMessage-ID: <${id}>\nDate: ${date}\n${named}\n${text}`,
	);
}

/** A one-patch series of eleven versions, each a thread with a review. */
function onePatch(): readonly Buffer[] {
	return Array.from({ length: 11 }, (_, at) => at + 1).flatMap((version) => {
		const id = `one.${version}@a.example`;
		const subject = `[PATCH${version === 1 ? '' : ` v${version}`}] parser: keep comments`;
		const review = `> keep comments\n\nReviewed-by: Rob ${version} <rob${version}@r.example>\n`;
		const from = `Rob ${version} <rob${version}@r.example>`;
		return [
			mail({ id, subject, day: version * 3, text: `Keep them.\n---\n${diff}` }),
			mail({ id: `r.${id}`, subject: `Re: ${subject}`, day: version * 3 + 1, from, above: id, text: review }),
		];
	});
}

/** A series as b4 sends it: a change-id, links to all earlier versions, and a new title for the last one. */
function ofB4(): readonly Buffer[] {
	return [1, 2, 3, 4, 5].flatMap((version) => {
		const tag = version === 1 ? 'PATCH' : `PATCH v${version}`;
		const cover = `20260101-wide-v${version}-0-77aa3f9a1c0d@b.example`;
		const links = Array.from({ length: version - 1 }, (_, at) => version - 1 - at).map(
			(one) => `- Link to v${one}: https://archive.example/r/20260101-wide-v${one}-0-77aa3f9a1c0d@b.example`,
		);
		const from = 'Bob Author <bob@b.example>';
		const day = version * 6;
		const text = `All about wide.\n\nChanges:\n${links.join('\n')}\n---\nchange-id: 20260101-wide-77aa3f9a1c0d\n`;
		const title = version === 5 ? 'wide: all of it' : 'wide';
		return [
			mail({ id: cover, subject: `[${tag} 0/2] ${title}`, day, from, text }),
			...[1, 2].map((index) =>
				mail({
					id: `20260101-wide-v${version}-${index}-77aa3f9a1c0d@b.example`,
					subject: `[${tag} ${index}/2] wide: part ${index}`,
					day,
					from,
					above: cover,
					text: `Part.\n---\n${diff}`,
				}),
			),
		];
	});
}

/** Other patches, so that a page of rows ends between two versions. */
function others(): readonly Buffer[] {
	return Array.from({ length: 650 }, (_, at) => {
		const from = `Eve ${at % 40} <eve${at % 40}@e.example>`;
		return mail({ id: `other.${at}@e.example`, subject: `[PATCH] other ${at}`, day: at / 17, from });
	});
}

suite('versions in an archive', () => {
	let archive: RealArchive;
	let http: HttpClient;
	const asked: string[] = [];
	suiteSetup(async function () {
		this.timeout(limitMs(120_000));
		const dated = [...onePatch(), ...ofB4(), ...others()].map((raw) => ({
			raw,
			ms: Date.parse(/^Date: (.*)$/m.exec(raw.toString())?.[1] ?? ''),
		}));
		archive = await startArchive({ devel: dated.toSorted((a, b) => a.ms - b.ms).map(({ raw }) => raw) });
		http = undiciClient({ transport: directTransport, clock: systemClock, random: () => 0 });
	});
	suiteTeardown(async () => {
		await http.close();
		await archive.stop();
	});

	function desk() {
		const over = transportOver(http);
		const client = archiveClient({
			transport(request, signal) {
				asked.push(`${request.method} ${request.path}`);
				return over(request, signal);
			},
			clock: hastyClock(),
			mirrors: () => ({}),
		});
		const use = { inboxes: () => ['devel'], ownAddresses: async () => [], clock: systemClock };
		const api = archiveLists(client, archive.siteUrl, use);
		const lists = new ListStore({ journal: journalInMemory(), api, me: '', followed: keptNames() });
		const { reviews } = mailStores({ lists, forge: standFor<Forge>({ lists: api }) });
		return { lists, reviews, list: { owner: new URL(archive.siteUrl).host, name: 'devel' } };
	}

	/** Paths asked for during the work. */
	async function during(work: () => Promise<unknown>): Promise<readonly string[]> {
		asked.length = 0;
		await work();
		return [...asked];
	}

	for (const [title, version, all] of [
		['parser: keep comments', 1, 11],
		['parser: keep comments', 5, 11],
		['parser: keep comments', 11, 11],
		['wide', 1, 5],
		['wide', 3, 5],
		['wide: all of it', 5, 5],
	] as const) {
		test(`the row of "${title}" v${version} takes one request, and its page with ${all} versions two more`, async function () {
			this.timeout(limitMs(120_000));
			const { lists, reviews, list } = desk();
			let { items, completeness } = await lists.patchsets(list).first(wanted());
			const isIt = (each: (typeof items)[number]): boolean => each.subject === title && each.version === version;
			while (!items.some(isIt) && completeness.kind === 'more') {
				({ items, completeness } = await lists.patchsets(list).more(wanted()));
			}
			const id = items.find(isIt)?.id ?? assert.fail(`no row: ${items.length}`);
			const ref = { list, id };
			const row = await during(() => lists.series(ref, wanted()));
			assert.equal(row.length, 1, row.join('\n'));
			const page = await during(() => reviews.readWithEarlier(ref, wanted()));
			assert.ok(page.length <= 2, `${page.length} requests:\n${page.join('\n')}`);
			const read = reviews.known(ref);
			assert.deepEqual(
				read?.versions.map((each) => each.patchset.version),
				Array.from({ length: all }, (_, at) => at + 1),
			);
			assert.deepEqual(read?.failures, []);
			// Trailers of the versions before it.
			if (title.startsWith('parser')) {
				assert.deepEqual(
					read?.trailers.map(({ value }) => /\d+/.exec(value)?.[0]),
					Array.from({ length: Math.min(version, 6) }, (_, at) => String(version - at)),
				);
			}
			assert.deepEqual(await during(() => reviews.readWithEarlier(ref, wanted())), []);
		});
	}
});
