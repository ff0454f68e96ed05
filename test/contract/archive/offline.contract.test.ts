import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { archiveClient } from 'public-inbox/http/archiveClient.ts';
import { newestEpoch, type ArchiveReads } from 'public-inbox/http/archiveReads.ts';
import { heldLists } from 'public-inbox/local/heldLists.ts';
import { archiveLists } from 'public-inbox/port/archiveLists.ts';
import type { NumberedMail } from 'public-inbox/port/mailNumbers.ts';
import { heldReads } from 'public-inbox/port/heldReads.ts';
import { undiciClient } from 'sourcehut/http/undiciClient.ts';
import type { HttpClient } from 'sourcehut/http/httpClient.ts';
import type { Pages } from 'sourcehut/port/page.ts';
import { indexThread } from '../../../src/machine/threads/indexThread.ts';
import { archiveMails, doubleId, otherText } from '../../support/archiveMails.ts';
import { hastyClock, transportOver } from '../../support/archiveTransport.ts';
import { directTransport, systemClock, wanted } from '../../support/contractForge.ts';
import { testMachine, type TestMachine } from '../../support/localMachine.ts';
import { limitMs } from '../../support/pace.ts';
import { quietLog } from '../../support/quietLog.ts';
import { startArchive, type RealArchive } from '../../support/realArchive.ts';

suite('an archive whose list is kept', function () {
	this.timeout(limitMs(120_000));
	const mails = archiveMails();
	let archive: RealArchive;
	let http: HttpClient;
	let machine: TestMachine;
	let folder: string;
	let index: ReturnType<typeof indexThread>;
	let client: ArchiveReads;
	let requests = 0;

	suiteSetup(async () => {
		const one = mails.flatMap(({ messageId, raw }) => (messageId === doubleId ? [raw] : []));
		archive = await startArchive({ devel: mails.map(({ raw }) => raw), twice: [] }, { twice: [...one, otherText] });
		http = undiciClient({ transport: directTransport, clock: systemClock, random: () => 0 });
		machine = testMachine();
		folder = mkdtempSync(join(tmpdir(), 'kept-lists-'));
		const programPath = join(import.meta.dirname, '../../../src/mailParser.ts');
		index = indexThread({ programPath, clock: systemClock, log: quietLog() }, 60_000);
		const over = transportOver(http);
		client = archiveClient({
			transport: (request, signal) => {
				requests += 1;
				return over(request, signal);
			},
			clock: hastyClock(),
			mirrors: () => ({}),
		});
	});
	suiteTeardown(async () => {
		index.dispose();
		await http.close();
		await archive.stop();
		machine.remove();
		rmSync(folder, { recursive: true, force: true });
	});

	const lists = () =>
		heldLists(
			{ folder, git: machine.git, hasGit: () => true, ask: index.ask },
			(url, signal) => newestEpoch(client, url, signal),
			() => systemClock.nowMs(),
		);

	async function all<T>(pages: Pages<T>): Promise<readonly T[]> {
		const found: T[] = [];
		for await (const { items } of pages) {
			found.push(...items);
		}
		return found;
	}

	type Api = ReturnType<typeof archiveLists>;
	const refOf = (name: string) => ({ owner: new URL(archive.siteUrl).host, name });

	/** Everything that the port says of a patchset. Rows alone may look like a series that their thread does not have. */
	async function patchsetOf(api: Api, id: number) {
		const ref = { list: refOf('devel'), id };
		// Titles of this corpus repeat within a minute, so that guessed neighbours depend on the order of hits.
		const guessed = { supersededById: undefined, supersedesId: undefined };
		const settled = await api.patchset(ref, wanted()).then(
			(patchset) => ({ ...patchset, ...guessed }),
			({ problem }: { readonly problem: unknown }) => problem,
		);
		const patches = await all(api.patches(ref, wanted())).catch(() => []);
		return { settled, patches, thread: await api.thread(id, wanted()), mail: await api.email(id, wanted()) };
	}

	async function factsOf(api: Api) {
		const list = await api.list(refOf('devel'), wanted());
		const mails = async (pages: Pages<{ readonly id: number }>) =>
			(await all(pages)).map(({ id }) => id).toSorted((one, other) => one - other);
		const hits = await mails(api.search?.(refOf('devel'), 's:question AND NOT s:re', wanted()) ?? assert.fail());
		return { list, hits, posts: await mails(api.posts(refOf('devel'), wanted())) };
	}

	test('answers everything as the archive does, after the archive is gone', async () => {
		for (const name of ['devel', 'twice']) {
			const facts = await client.inbox(archive.inboxUrl(name), wanted());
			await lists().keep(facts, { depth: undefined, mostMebibytes: 100 }, () => undefined, wanted());
		}
		requests = 0;
		const numbers: NumberedMail[] = [];
		const numbered = { read: () => numbers, add: (mail: NumberedMail) => void numbers.push(mail) };
		const open = (reads: ArchiveReads) =>
			archiveLists(reads, archive.siteUrl, {
				inboxes: () => [],
				kept: numbered,
				ownAddresses: async () => [],
				clock: systemClock,
			});
		const kept = open(heldReads(lists().all, client, systemClock));
		const rows = await all(kept.patchsets(refOf('devel'), wanted()));
		assert.ok(rows.length > 50, String(rows.length));
		assert.equal(requests, 0);

		const online = open(client);
		const facts = await factsOf(online);
		const expected = new Map<number, Awaited<ReturnType<typeof patchsetOf>>>();
		for (const { id } of rows) {
			expected.set(id, await patchsetOf(online, id));
		}
		assert.ok(facts.hits.length === 20 && facts.posts.length > 100);

		await archive.stop();
		requests = 0;
		const offline = open(heldReads(lists().all, client, systemClock));
		assert.deepEqual(await factsOf(offline), facts);
		for (const [id, before] of expected) {
			assert.deepEqual(await patchsetOf(offline, id), before);
		}
		const { id } = await offline.email({ messageId: doubleId, list: refOf('twice') }, wanted());
		assert.equal((await offline.thread(id, wanted())).length, 2);
		assert.equal(requests, 0);
		const names = (await all(offline.lists(refOf('devel').owner, wanted()))).map(({ name }) => name);
		assert.deepEqual(names.toSorted(), ['devel', 'twice']);
	});
});
