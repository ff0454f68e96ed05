import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resting } from '@forge-desk/base/timeSlice.ts';
import { mailText } from 'patchmail/mail/mailText.ts';
import { readMail } from 'patchmail/mail/readMail.ts';
import { patchMailOf } from 'patchmail/series/patchMail.ts';
import { archiveClient } from 'public-inbox/http/archiveClient.ts';
import type { CommittedLine } from 'public-inbox/lines/committedLine.ts';
import { committedLines } from 'public-inbox/lines/lineInClone.ts';
import { fileQuery } from 'public-inbox/read/searchTerms.ts';
import { threadsOfLines, type SearchedList } from 'public-inbox/lines/threadsOfLines.ts';
import type { ListedMail } from 'public-inbox/lines/rankedThreads.ts';
import { mailFacts } from 'public-inbox/local/mailFacts.ts';
import { archiveLists } from 'public-inbox/port/archiveLists.ts';
import { undiciClient } from 'sourcehut/http/undiciClient.ts';
import type { HttpClient } from 'sourcehut/http/httpClient.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { localPlace, mbox } from '../../support/localMailbox.ts';
import { messageIdOf } from '../../support/archiveMails.ts';
import { hastyClock, transportOver } from '../../support/archiveTransport.ts';
import { directTransport, systemClock, wanted } from '../../support/contractForge.ts';
import { testMachine, type TestMachine } from '../../support/localMachine.ts';
import {
	mailedKinds,
	mailedRepository,
	threadOf,
	type MailedCommit,
	type MailedRepository,
} from '../../support/mailedRepository.ts';
import { limitMs } from '../../support/pace.ts';
import { createRandom } from '../../support/random.ts';
import { startArchive, type RealArchive } from '../../support/realArchive.ts';

const [rounds, lineCount, mostPercentWrong] = [5, 500, 5];

interface Asked {
	readonly line: CommittedLine;
	readonly commit: MailedCommit | undefined;
}

/** Counts of one way to read the list. */
interface Counted {
	searches: number;
	threads: number;
	/** To the server. */
	requests: number;
}

suite('mails about lines', () => {
	let machine: TestMachine;
	let repository: MailedRepository;
	let asked: readonly Asked[];
	let archive: RealArchive;
	let http: HttpClient;
	/** Of git for one line. */
	let blameMs = 0;
	const place = localPlace();

	suiteSetup(async function () {
		this.timeout(limitMs(300_000));
		machine = testMachine();
		repository = mailedRepository(machine, rounds);
		archive = await startArchive({ devel: repository.mails });
		http = undiciClient({ transport: directTransport, clock: systemClock, random: () => 0 });
		const startMs = performance.now();
		asked = await linesOf(machine, repository);
		blameMs = (performance.now() - startMs) / asked.length;
	});
	suiteTeardown(async () => {
		await http.close();
		await archive.stop();
		await place.remove();
		machine.remove();
	});

	/** The archive over the network. `requests`: to the server. */
	function served() {
		const counted = { searches: 0, threads: 0, requests: 0 };
		const over = transportOver(http);
		const transport: typeof over = (request, signal) => {
			counted.requests += 1;
			return over(request, signal);
		};
		const client = archiveClient({ transport, clock: hastyClock(), mirrors: () => ({}) });
		const api = archiveLists(client, archive.siteUrl, {
			inboxes: () => ['devel'],
			ownAddresses: async () => [],
			clock: systemClock,
		});
		const ref = { owner: new URL(archive.siteUrl).host, name: 'devel' };
		type Mail = ListedMail & { readonly envelope?: string };
		const list: SearchedList<Mail> = {
			hasPrefixes: true,
			async search(query, signal) {
				counted.searches += 1;
				const page = await api.search?.(ref, query, signal).next();
				return page?.done === false ? page.value.items : [];
			},
			async thread(messageId, _, signal) {
				counted.threads += 1;
				return await api.thread({ messageId, list: ref }, signal).catch((error: unknown) => {
					assert.ok(isForgeError(error) && error.problem.kind === 'notFound', String(error));
					return [];
				});
			},
			patch: async ({ envelope = '', subject }) =>
				patchMailOf(await readMail(envelope, { evenIfLarge: true }), subject),
		};
		return { list, counted };
	}

	/** A clone of it, without network. */
	async function cloned() {
		const counted = { searches: 0, threads: 0, requests: 0 };
		const file = join(place.folder, 'devel.mbox');
		writeFileSync(file, mbox(...repository.mails));
		const mails = await place.read(file);
		type Mail = ListedMail & { readonly bytes?: Uint8Array };
		const list: SearchedList<Mail> = {
			hasPrefixes: true,
			async search(query, signal) {
				counted.searches += 1;
				const { rows } = await mails.search({ query, from: 0, rows: 200 }, signal);
				return rows.map(({ messageId, subject, dateMs = 0 }) => ({ messageId, subject, createdMs: dateMs }));
			},
			async thread(messageId, _, signal) {
				counted.threads += 1;
				const found: Mail[] = [];
				for (const bytes of (await mails.thread(messageId, 64_000_000, signal)).mails) {
					const { sentMs = 0, ...facts } = await mailFacts(bytes);
					found.push({ messageId: facts.messageId, subject: facts.subject, createdMs: sentMs, bytes });
				}
				return found;
			},
			patch: async ({ bytes = new Uint8Array(), subject }) =>
				patchMailOf(await readMail(mailText(bytes), { evenIfLarge: true }), subject),
		};
		return { list, counted };
	}

	/** Finds all lines twice. A known line must read nothing. */
	async function measured<M extends ListedMail>(name: string, list: SearchedList<M>, counted: Counted): Promise<void> {
		const search = threadsOfLines(list);
		const wrong: string[] = [];
		let [threads, versions] = [0, 0];
		const startMs = performance.now();
		for (const { line, commit } of asked) {
			const before = { ...counted };
			const [best] = await search.of(line, wanted());
			assert.ok(counted.searches - before.searches <= 3 && counted.threads - before.threads <= 2, line.text);
			const expected = commit?.mailOf(line.text);
			const found = best?.mail.messageId;
			threads += Number(threadOf(found ?? '') === threadOf(expected ?? ''));
			versions += Number(found === expected);
			if (found !== expected) {
				wrong.push(`${commit?.kind}: ${found}, not ${expected}: ${line.text}`);
			}
			assert.ok(best === undefined || best.hasLine === commit?.isMailed(line.text), line.text);
		}
		const coldMs = performance.now() - startMs;
		const before = { ...counted };
		const eachMs: number[] = [];
		for (const { line } of asked) {
			const beganMs = performance.now();
			await search.of(line, wanted());
			eachMs.push(performance.now() - beganMs);
		}
		const warmMs = eachMs.reduce((sum, ms) => sum + ms, 0);
		console.log(
			`      ${name}: ${asked.length} lines, right thread ${percent(threads)}, right version ${percent(versions)}; ` +
				`${counted.searches} searches, ${counted.threads} threads, ${counted.requests} requests; ` +
				`warm ÷ cold ${(warmMs / coldMs).toFixed(3)}, longest warm ${Math.max(...eachMs).toFixed(1)} ms, git ${blameMs.toFixed(1)} ms`,
		);
		assert.deepEqual(counted, before);
		assert.ok((asked.length - threads) * 100 <= mostPercentWrong * asked.length, wrong.join('\n'));
	}

	const percent = (count: number): string => `${((count * 100) / asked.length).toFixed(1)} %`;

	/** A search for a file finds its patches and no others. */
	async function findsFiles<M extends ListedMail>(list: SearchedList<M>): Promise<void> {
		for (const path of repository.paths.slice(0, 3)) {
			const found = (await list.search(fileQuery(path) ?? '', wanted())).map(({ messageId }) => messageId);
			const expected = repository.mails.flatMap((raw) =>
				raw.includes(`\ndiff --git a/${path} `) ? [messageIdOf(raw)] : [],
			);
			assert.deepEqual(found.toSorted(), expected.toSorted(), path);
			assert.ok(found.length > 0);
		}
	}

	test('are found in an archive', async function () {
		this.timeout(limitMs(300_000));
		const { list, counted } = served();
		await measured('archive', list, counted);
		await findsFiles(list);
	});

	test('are found in a clone without a request', async function () {
		this.timeout(limitMs(300_000));
		const { list, counted } = await cloned();
		await measured('clone', list, counted);
		await findsFiles(list);
		assert.equal(counted.requests, 0);
	});
});

async function linesOf(
	machine: TestMachine,
	{ root, head, commits, paths }: MailedRepository,
): Promise<readonly Asked[]> {
	const random = createRandom(67);
	const all = paths.flatMap((path) => {
		const count = machine.plain(root, 'show', `${head}:${path}`).split('\n').length - 1;
		return Array.from({ length: count }, (_, at) => ({ path, line: at, key: random.below(1_000_000) }));
	});
	const chosen = all.toSorted((one, other) => one.key - other.key).slice(0, lineCount);
	const texts = new Map(paths.map((path) => [path, machine.plain(root, 'show', `${head}:${path}`)]));
	const committed = committedLines(machine.git, resting(systemClock));
	const asked: Asked[] = [];
	for (const { path, line } of chosen) {
		const edited = { root, path, commit: head, text: `// New.\n${texts.get(path)}`, line: line + 1 };
		const found = await committed.of(edited, wanted());
		assert.ok(found);
		asked.push({ line: found, commit: commits.get(found.commit) });
	}
	assert.equal(asked.length, lineCount);
	assert.deepEqual([...new Set(asked.flatMap(({ commit }) => commit?.kind ?? []))].toSorted(), mailedKinds.toSorted());
	return asked;
}
