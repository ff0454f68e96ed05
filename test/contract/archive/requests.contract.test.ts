import '../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { archiveClient } from 'public-inbox/http/archiveClient.ts';
import { archiveLists } from 'public-inbox/port/archiveLists.ts';
import { undiciClient } from 'sourcehut/http/undiciClient.ts';
import type { HttpClient } from 'sourcehut/http/httpClient.ts';
import type { Forge } from 'sourcehut/port/forge.ts';
import { ListStore } from '../../../src/store/lists/listStore.ts';
import { archivedSeries, hostOf } from '../../support/archiveMails.ts';
import { hastyClock, transportOver } from '../../support/archiveTransport.ts';
import { directTransport, systemClock, wanted } from '../../support/contractForge.ts';
import { keptNames } from '../../support/fakeConnection.ts';
import { journalInMemory } from '../../support/journalInMemory.ts';
import { bytesOf } from '../../support/madeThread.ts';
import { mailStores } from '../../support/mailStores.ts';
import { limitMs } from '../../support/pace.ts';
import { startArchive, type RealArchive } from '../../support/realArchive.ts';
import { standFor } from '../../support/standFor.ts';

suite('requests to an archive', () => {
	let archive: RealArchive;
	let http: HttpClient;
	const asked: string[] = [];
	suiteSetup(async function () {
		this.timeout(limitMs(120_000));
		const made = archivedSeries.slice(0, 12);
		archive = await startArchive({
			devel: made.flatMap(({ name, mails }) => mails.map((mail) => bytesOf(mail, hostOf(name)))),
		});
		http = undiciClient({ transport: directTransport, clock: systemClock, random: () => 0 });
	});
	suiteTeardown(async () => {
		await http.close();
		await archive.stop();
	});

	function desk() {
		const over = transportOver(http);
		const transport: typeof over = (request, signal) => {
			asked.push(request.path);
			return over(request, signal);
		};
		const client = archiveClient({ transport, clock: hastyClock(), mirrors: () => ({}) });
		const use = { inboxes: () => ['devel'], ownAddresses: async () => [], clock: systemClock };
		const api = archiveLists(client, archive.siteUrl, use);
		const lists = new ListStore({ journal: journalInMemory(), api, me: '', followed: keptNames() });
		const { reviews } = mailStores({ lists, forge: standFor<Forge>({ lists: api }) });
		const list = { owner: new URL(archive.siteUrl).host, name: 'devel' };
		return { api, lists, reviews, list };
	}

	/** Paths asked for during the work. */
	async function during(work: () => Promise<unknown>): Promise<readonly string[]> {
		asked.length = 0;
		await work();
		return [...asked];
	}

	test('a list takes one, a series without other versions one, and each series nothing when opened again', async function () {
		this.timeout(limitMs(120_000));
		const { lists, reviews, list } = desk();
		const opening = await during(() => lists.patchsets(list).first(wanted()));
		assert.equal(opening.length, 1, opening.join('\n'));
		const rows = lists.knownPatchsets(list);
		const titles = Map.groupBy(rows, ({ subject }) => subject);
		let ofOne = 0;
		for (const { id, subject, version } of rows) {
			const first = await during(() => reviews.read({ list, id }, wanted()).catch(() => undefined));
			if (version === 1 && titles.get(subject)?.length === 1) {
				ofOne += 1;
				assert.ok(first.length <= 1, `${subject}: ${first.join('\n')}`);
			}
			const again = await during(() => reviews.read({ list, id }, wanted()).catch(() => undefined));
			assert.deepEqual(again, [], subject);
		}
		assert.ok(ofOne > 0);
	});

	test('a poll of a quiet list takes one', async () => {
		const { api, list } = desk();
		const poll = (): Promise<unknown> => api.activity?.lastMs([list], wanted()) ?? assert.fail('There is no poll');
		assert.deepEqual(await during(poll), ['/devel/new.atom']);
		assert.deepEqual(await during(poll), ['/devel/new.atom']);
	});
});
