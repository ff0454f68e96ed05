import assert from 'node:assert/strict';
import { archiveClient } from 'public-inbox/http/archiveClient.ts';
import { archiveLists } from 'public-inbox/port/archiveLists.ts';
import type { KeptNumbers, NumberedMail } from 'public-inbox/port/mailNumbers.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import type { HttpClient } from 'sourcehut/http/httpClient.ts';
import type { Patchset } from 'sourcehut/port/list.ts';
import { undiciClient } from 'sourcehut/http/undiciClient.ts';
import { archiveMails, doubleId, otherText } from '../../support/archiveMails.ts';
import { hastyClock, transportOver } from '../../support/archiveTransport.ts';
import { directTransport, systemClock, wanted } from '../../support/contractForge.ts';
import { limitMs } from '../../support/pace.ts';
import { startArchive, type RealArchive } from '../../support/realArchive.ts';

suite('lists of an archive', () => {
	const mails = archiveMails();
	let archive: RealArchive;
	let http: HttpClient;
	let requests = 0;

	suiteSetup(async function () {
		this.timeout(limitMs(300_000));
		const one = mails.flatMap(({ messageId, raw }) => (messageId === doubleId ? [raw] : []));
		const series = { devel: mails.map(({ raw }) => raw), renamed: renamedSeries(), twice: [] };
		archive = await startArchive(series, { twice: [...one, otherText] });
		http = undiciClient({ transport: directTransport, clock: systemClock, random: () => 0 });
	});
	suiteTeardown(async () => {
		await http.close();
		await archive.stop();
	});
	setup(() => {
		requests = 0;
	});

	function open(kept?: KeptNumbers) {
		const over = transportOver(http);
		const transport: typeof over = (request, signal) => {
			requests += 1;
			return over(request, signal);
		};
		const client = archiveClient({ transport, clock: hastyClock(), mirrors: () => ({}) });
		return archiveLists(client, archive.siteUrl, {
			inboxes: () => ['devel', 'twice'],
			ownAddresses: async () => ['ann@a.example'],
			...(kept ? { kept } : {}),
			clock: systemClock,
		});
	}
	const devel = () => ({ owner: new URL(archive.siteUrl).host, name: 'devel' });

	async function allPatchsets(api: ReturnType<typeof open>): Promise<readonly Patchset[]> {
		const found: Patchset[] = [];
		for await (const { items } of api.patchsets(devel(), wanted())) {
			found.push(...items);
		}
		return found;
	}

	test('names the lists of the site, and none of its reader', async () => {
		const api = open();
		const names: string[] = [];
		for await (const { items } of api.lists(devel().owner, wanted())) {
			names.push(...items.map(({ name }) => name));
		}
		assert.deepEqual(names.toSorted(), ['devel', 'renamed', 'twice']);
		requests = 0;
		for await (const { items } of api.lists(undefined, wanted())) {
			assert.deepEqual(items, []);
		}
		assert.equal(requests, 0);
	});

	test('lists the first mails of threads, and series with a joined version', async () => {
		const api = open();
		const { value } = await api.posts(devel(), wanted()).next();
		const subjects = value?.items.map(({ subject }) => subject) ?? [];
		assert.ok(subjects.some((subject) => subject.startsWith('Question ')));
		assert.ok(subjects.every((subject) => !/^re:/i.test(subject)));
		const joined = (await allPatchsets(api)).filter(({ version }) => version === 6);
		assert.equal(joined.length, 2);
	});

	test('opens a list with one request, and any patchset with one more', async function () {
		this.timeout(limitMs(120_000));
		const api = open();
		const first = await api.patchsets(devel(), wanted()).next();
		assert.equal(requests, 1);
		const rows = first.value?.items ?? [];
		assert.ok(rows.length > 30, String(rows.length));
		const missing: string[] = [];
		let read = 0;
		for (const row of rows) {
			requests = 0;
			const ref = { list: devel(), id: row.id };
			try {
				const patchset = await api.patchset(ref, wanted());
				for await (const { items } of api.patches(ref, wanted())) {
					assert.ok(items.length > 0, row.subject);
					assert.ok(items.every(({ patchsetId }) => patchsetId === row.id));
				}
				assert.equal(patchset.id, row.id);
				assert.equal(patchset.version, row.version, row.subject);
				read += 1;
			} catch (error) {
				// A row alone may look like a series that its thread does not have. The user opens the thread.
				assert.ok(isForgeError(error) && error.problem.kind === 'notFound', String(error));
				assert.equal(error.problem.because, 'noPatches', row.subject);
				missing.push(row.subject);
			}
			const thread = await api.thread(row.id, wanted());
			assert.ok(thread.some(({ id }) => id === row.id));
			// Another version takes one search.
			const hasVersions = rows.some(({ id, subject }) => id !== row.id && subject === row.subject);
			assert.ok(requests <= (row.version > 1 || hasVersions ? 2 : 1), `${row.subject}: ${requests}`);
		}
		assert.ok(read > 40, String(read));
		assert.ok(
			missing.some((subject) => subject.startsWith('odd ')) && missing.some((subject) => subject.endsWith('hole')),
		);
		const again = (await api.patchsets(devel(), wanted()).next()).value?.items ?? [];
		assert.deepEqual(
			rows.filter(({ id }) => again.every((row) => row.id !== id)).map(({ subject }) => subject),
			missing,
			'the list forgets the rows of mails without a set',
		);
	});

	test('finds the version before a new title by its change-id, and no series that depends on it', async () => {
		const api = open();
		const ref = { owner: devel().owner, name: 'renamed' };
		const rows = (await api.patchsets(ref, wanted()).next()).value?.items ?? [];
		const [first, second, dependent] = ['fold once', 'fold twice', 'iron'].map(
			(title) => rows.find(({ subject }) => subject === title)?.id ?? assert.fail(title),
		);
		const linked = async (id: number) => {
			const { supersededById, supersedesId } = await api.patchset({ list: ref, id }, wanted());
			return [supersedesId, supersededById];
		};
		assert.deepEqual(await linked(second!), [first, undefined]);
		assert.deepEqual(await linked(dependent!), [undefined, undefined]);
	});

	test('numbers mails alike in every window, and finds them again', async () => {
		const known: NumberedMail[] = [];
		const kept = { read: () => known, add: (mail: NumberedMail) => void known.push(mail) };
		const one = open(kept);
		const [row] = await allPatchsets(one);
		assert.ok(row);
		const other = open(kept);
		assert.equal((await other.email(row.id, wanted())).messageId, (await one.email(row.id, wanted())).messageId);
		await assert.rejects(open().email(row.id, wanted()), (error) => isForgeError(error));
		assert.equal(new Set(known.map(({ number }) => number)).size, known.length);
	});

	test('finds a Message-ID in the followed lists', async () => {
		const api = open();
		const [row] = await allPatchsets(api);
		const messageId = row?.coverLetter?.messageId ?? row?.messageId ?? '';
		const mail = await api.email({ messageId, list: undefined }, wanted());
		assert.equal(mail.list?.name, 'devel');
		const nowhere = api.thread({ messageId: '<nowhere@example.org>', list: undefined }, wanted());
		await assert.rejects(nowhere, (error) => isForgeError(error) && error.problem.kind === 'notFound');
	});

	test('shows both texts under one Message-ID', async () => {
		const api = open();
		const twice = { ...devel(), name: 'twice' };
		const { id } = await api.email({ messageId: doubleId, list: twice }, wanted());
		const thread = await api.thread(id, wanted());
		const double = thread.filter(({ messageId }) => messageId === doubleId);
		assert.equal(
			new Set(double.map((mail) => mail.id)).size,
			2,
			JSON.stringify(thread.map(({ messageId }) => messageId)),
		);
		for (const mail of double) {
			const read = await api.email(mail.id, wanted());
			assert.equal(read.envelope, 'envelope' in mail ? mail.envelope : undefined);
		}
	});

	test('has all mails of a thread, parents before replies', async () => {
		const api = open();
		for (const messageId of ['<talk-1@talk.example>']) {
			const { id } = await api.email({ messageId, list: devel() }, wanted());
			const thread = await api.thread(id, wanted());
			const seen = new Set<number>();
			for (const mail of thread) {
				assert.ok(mail.parentId === undefined || seen.has(mail.parentId), mail.subject);
				seen.add(mail.id);
			}
			assert.ok(seen.size > 20, String(seen.size));
		}
	});
});

/** Two versions with different titles, as b4 sends them, and a second version of a series that depends on them. */
function renamedSeries(): readonly Buffer[] {
	const diff = 'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n';
	const id = '20261101-fold-3f9a1c0d77aa';
	return [
		['[PATCH 1/1] fold once', `change-id: ${id}`],
		['[PATCH v2 1/1] fold twice', `change-id: ${id}`],
		['[PATCH v3 1/1] iron', `change-id: 20261102-iron-77aa3f9a1c0d\nprerequisite-change-id: ${id}:v2`],
	].map(([subject, stated], at) =>
		Buffer.from(
			`From: Ann Author <ann@a.example>\nTo: renamed@lists.example\nSubject: ${subject}\nMessage-ID: <${at}@a.example>\nDate: ${new Date(Date.UTC(2026, 10, 1 + at)).toUTCString()}\n\nText.\n---\n${stated}\n\n${diff}`,
		),
	);
}
