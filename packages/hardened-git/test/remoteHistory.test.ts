import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { hardenedGit } from '../src/hardenedGit.ts';
import { looseBlob } from '../src/looseBlob.ts';
import { historyLimits, remoteHistory, versionsIn, type HistoryLimits } from '../src/remoteHistory.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { testMachine, type TestMachine } from '../../../test/support/localMachine.ts';

const never = new AbortController().signal;
const address = 'git@git.forge.test:~alice/quill';
const otherAddress = 'git@git.forge.test:~alice/other';
const place = { room: 'account', addresses: [address] };
const dayMs = 86_400_000;
const commits = 60;

suite('history of a server without files', function () {
	this.timeout(120_000);
	let machine: TestMachine;
	let bare: string;
	let temp: string;
	let root: string;
	let nowMs: number;

	const able = 'exec git -c uploadpack.allowFilter=true upload-pack "$bare"';
	const unable = 'exec git upload-pack "$bare"';

	/** Uses this script as ssh; it finds the repository in `$bare`. */
	function histories(script: string, limits: Partial<HistoryLimits> = {}, parts = machine.parts) {
		const ssh = join(machine.folder, 'ssh');
		writeFileSync(ssh, `#!/bin/sh\nbare='${bare}'\n${script}\n`, { mode: 0o755 });
		const environment = { ...parts.environment, GIT_SSH: ssh, GIT_SSH_VARIANT: 'ssh' };
		const git = hardenedGit({ ...parts, environment });
		const runs: string[] = [];
		const counted: typeof git = {
			run(command, ...rest) {
				runs.push(command.kind);
				return git.run(command, ...rest);
			},
			stream: (...all) => git.stream(...all),
		};
		const all = { git: counted, tempFolder: temp, root, nowMs: () => nowMs };
		return { ...remoteHistory(all, { ...historyLimits, ...limits }), runs: () => runs.splice(0) };
	}

	const contentAt = (at: number): string => `version ${at}\n${'the same line\n'.repeat(20)}`;

	/** Commits from `from` to `to`, each with another version of `a b/ä.txt`. */
	function grow(from: number, to: number): void {
		const parts = Array.from({ length: to - from }, (_, at) => {
			const content = contentAt(from + at);
			const seconds = 1_700_000_000 + (from + at) * 60;
			const start = at === 0 && from > 0 ? 'from refs/heads/main^0\n' : '';
			const other = 'M 100644 inline other.txt\ndata 0\n\n';
			return `commit refs/heads/main\ncommitter A <a@forge.test> ${seconds} +0000\ndata 0\n${start}${other}M 100644 inline "a b/ä.txt"\ndata ${Buffer.byteLength(content)}\n${content}\n`;
		});
		machine.feed(bare, parts.join(''), 'fast-import', '--quiet');
	}

	const idAt = (at: number): string => machine.feed(bare, contentAt(at), 'hash-object', '--stdin').trim();
	const question = (reach: 'near' | 'whole' = 'near', sinceMs = nowMs - 1000) => ({
		paths: ['a b/ä.txt', 'line\nbreak', ':(glob)*', '-x'],
		sinceMs,
		reach,
	});
	const kept = (): readonly string[] => (existsSync(join(root, 'account')) ? readdirSync(join(root, 'account')) : []);
	const reaches = (): readonly string[] =>
		kept()
			.map((name) => name.replace(/.*[.]/, ''))
			.toSorted();

	setup(() => {
		nowMs = Date.now();
		machine = testMachine();
		bare = join(machine.folder, 'bare');
		temp = join(machine.folder, 'temp');
		root = join(machine.folder, 'root');
		[bare, temp].forEach((folder) => mkdirSync(folder));
		machine.plain(bare, 'init', '-q', '--bare', '-b', 'main');
		grow(0, commits);
	});
	teardown(async () => {
		await eventually(async () => readdirSync(temp), []);
		machine.remove();
	});

	for (const [name, server] of [
		['with', able],
		['without', unable],
	] as const) {
		test(`finds all versions and their contents on a server ${name} filter support, in three runs`, async () => {
			const { versions, contents, runs } = histories(server);
			const found = await versions(place, question(), never);
			assert.deepEqual(
				found.versions.map(({ id }) => id).toSorted(),
				Array.from({ length: commits }, (_, at) => idAt(at)).toSorted(),
			);
			assert.ok(found.versions.every(({ path }) => path === 'a b/ä.txt'));
			assert.equal(found.isWhole, true);
			const files = await contents(place, [idAt(3), idAt(50)], never);
			assert.deepEqual(
				[...files].map(([id, content]) => [id, Buffer.from(content).toString()]),
				[
					[idAt(3), contentAt(3)],
					[idAt(50), contentAt(50)],
				],
			);
			assert.deepEqual(runs(), ['fetchHistory', 'versions', 'fetchBlobs']);
		});
	}

	test('fetches no files from a server with filter support', async () => {
		await histories(able).versions(place, question(), never);
		const [name = ''] = kept();
		const objects = machine.plain(join(root, 'account', name), 'cat-file', '--batch-check', '--batch-all-objects');
		assert.ok(!objects.includes(' blob '), objects);
	});

	test('fetches again only for a message that is newer than the last fetch, and only newer commits', async () => {
		const { versions, runs } = histories(able);
		await versions(place, question(), never);
		grow(commits, commits + 2);
		await versions(place, question(), never);
		assert.deepEqual(runs(), ['fetchHistory', 'versions', 'versions']);
		nowMs += 2000;
		const { versions: found } = await versions(place, question('near', nowMs - 500), never);
		assert.deepEqual(runs(), ['fetchHistory', 'versions']);
		assert.equal(found.length, commits + 2);
		const sizes = kept().map((name) => {
			const packs = readdirSync(join(root, 'account', name, 'objects', 'pack'));
			return packs.filter((each) => each.endsWith('.pack')).length;
		});
		assert.deepEqual(new Set(sizes), new Set([1, 2]));
	});

	test('fetches the newest commits first, and all branches when asked further', async () => {
		machine.plain(bare, 'branch', 'side', 'main~40');
		machine.plain(bare, 'update-ref', 'refs/heads/main', 'main~20');
		const { versions } = histories(able, { nearCommits: 10 });
		const near = await versions(place, question(), never);
		assert.deepEqual([near.versions.length, near.isWhole], [10, false]);
		const whole = await versions(place, question('whole'), never);
		assert.deepEqual([whole.versions.length, whole.isWhole], [commits - 20, true]);
		assert.deepEqual(reaches(), ['near', 'whole']);
		const later = await histories('exit 1').versions(place, question(), never);
		assert.equal(later.versions.length, commits - 20);
	});

	test('keeps versions of merges, side branches, links and deleted files, but no submodules', async () => {
		const zero = '0'.repeat(40);
		const [file, other, merged] = ['1', '2', '3'].map((digit) => digit.repeat(40));
		const id = (digit: string): string => digit.repeat(40);
		const output = [
			id('a'),
			`\n:100644 000000 ${file} ${zero} D\0a:b\0${id('b')}`,
			`\n:100644 120000 ${file} ${other} T\0a:b\0${id('c')}`,
			`\n:000000 160000 ${zero} ${merged} A\0module\0${id('d')}`,
			`\n:100644 100755 ${file} ${merged} M\0a:b\0:100644 100755 ${other} ${merged} M\0\n:x\0`,
		].join('\0');
		assert.deepEqual(versionsIn(Buffer.from(output)), [
			{ path: 'a:b', id: other, commit: id('b') },
			{ path: 'a:b', id: merged, commit: id('d') },
			{ path: '\n:x', id: merged, commit: id('d') },
		]);
	});

	test('refuses a history beyond the limit, and does not try again until asked further', async () => {
		grow(commits, commits + 1);
		const { versions, runs } = histories(able, { nearMebibytes: -1, wholeMebibytes: 1 });
		await assert.rejects(versions(place, question(), never), { problem: { kind: 'tooMuch' } });
		assert.deepEqual(runs(), ['fetchHistory']);
		await assert.rejects(versions(place, question(), never), { problem: { kind: 'tooMuch' } });
		assert.deepEqual([runs(), reaches()], [[], ['large']]);
		nowMs += 8 * dayMs;
		await assert.rejects(versions(place, question(), never), { problem: { kind: 'tooMuch' } });
		assert.deepEqual(runs(), ['fetchHistory'], 'a week later');
		// Only commits from half a year before the message.
		const since = (1_700_000_000 + 30 * 60) * 1000 + 180 * dayMs;
		const found = await versions(place, question('whole', since), never);
		assert.deepEqual([found.versions.length, found.isWhole], [commits + 1 - 30, false]);
		assert.deepEqual(runs(), ['fetchHistory', 'versions']);
	});

	test('stops a server that sends files in place of a history at the limit', async () => {
		for (let at = 0; at < 4; at += 1) {
			const noise = randomBytes(600_000);
			const head = `commit refs/heads/main\ncommitter A <a@forge.test> 1800000000 +0000\ndata 0\nfrom refs/heads/main^0\nM 100644 inline big${at}\ndata ${noise.length}\n`;
			machine.feed(bare, Buffer.concat([Buffer.from(head), noise, Buffer.from('\n')]), 'fast-import', '--quiet');
		}
		const { versions } = histories(unable, { nearMebibytes: 1 });
		await assert.rejects(versions(place, question(), never), { problem: { kind: 'tooMuch' } });
		assert.deepEqual(reaches(), ['large']);
		const { versions: able1 } = histories(able, { nearMebibytes: 1 });
		await assert.rejects(able1(place, question(), never), { problem: { kind: 'tooMuch' } });
		assert.equal((await able1({ ...place, room: 'other' }, question(), never)).isWhole, true);
	});

	test('shows no content with another id or kind', async () => {
		const own = join(machine.folder, 'own');
		const [right, wrong] = [idAt(1), idAt(2)];
		const put = (id: string, text: string): void => {
			mkdirSync(join(own, 'objects', id.slice(0, 2)), { recursive: true });
			writeFileSync(join(own, 'objects', id.slice(0, 2), id.slice(2)), deflateSync(Buffer.from(text)));
		};
		const { length } = Buffer.from(contentAt(1));
		for (const [id, text, expected] of [
			[right, `blob ${length}\0${contentAt(1)}`, contentAt(1)],
			[wrong, `blob ${length}\0${contentAt(1)}`, undefined],
			[right, `blob ${length + 1}\0${contentAt(1)}`, undefined],
			[right, `tree ${length}\0${contentAt(1)}`, undefined],
			[right, `blob 9000000\0${'x'.repeat(9_000_000)}`, undefined],
		] as const) {
			put(id, text);
			const content = await looseBlob(own, id);
			assert.equal(content && Buffer.from(content).toString(), expected);
		}
		rmSync(join(own, 'objects'), { recursive: true });
		assert.equal(await looseBlob(own, right), undefined);
		await assert.rejects(histories(able).contents(place, [idAt(commits + 1)], never), {
			problem: { kind: 'failed', program: 'git' },
		});
	});

	test('leaves nothing of a failed or aborted fetch, and uses the older history', async () => {
		await assert.rejects(histories('exit 1').versions(place, question(), never), {
			problem: { kind: 'failed', program: 'git' },
		});
		assert.deepEqual(kept(), []);
		await histories(able).versions(place, question(), never);
		const before = kept();
		nowMs += 5000;
		const offline = await histories('exit 1').versions(place, question('near', nowMs - 1), never);
		assert.deepEqual([offline.versions.length, offline.isWhole], [commits, false]);
		grow(commits, commits + 50);
		const cut = `${able.replace('exec ', '')} | (dd bs=1 count=1500 2>/dev/null; kill -9 $$)`;
		assert.equal((await histories(cut).versions(place, question('near', nowMs - 1), never)).isWhole, false);
		const leaving = new AbortController();
		const started = join(machine.folder, 'started');
		const reading = histories(`touch '${started}'; sleep 60`).versions(place, question('near', nowMs), leaving.signal);
		const ended = assert.rejects(reading, { name: 'AbortError' });
		await eventually(async () => existsSync(started), true);
		leaving.abort();
		await ended;
		await eventually(async () => kept(), before);
	});

	test('begins again after a history is damaged', async () => {
		await histories(able).versions(place, question(), never);
		const [name = ''] = kept();
		const packs = join(root, 'account', name, 'objects', 'pack');
		const [pack = ''] = readdirSync(packs).filter((each) => each.endsWith('.pack'));
		machine.script(packs, 'chmod u+w "$1"; printf x > "$1"', pack);
		const { versions } = histories(able);
		await assert.rejects(versions(place, question(), never), { problem: { kind: 'failed', program: 'git' } });
		assert.equal((await versions(place, question(), never)).versions.length, commits);
	});

	test('serves two windows at once', async () => {
		const [one, two] = [histories(able), histories(able)];
		const found = await Promise.all(
			[one, one, two].map(async ({ versions }) => (await versions(place, question(), never)).versions.length),
		);
		assert.deepEqual(found, [commits, commits, commits]);
		assert.deepEqual(one.runs().toSorted(), ['fetchHistory', 'versions', 'versions']);
		assert.equal(kept().filter((each) => each.startsWith('forge-desk-')).length, 0);
	});

	test('removes replaced, unused and unfinished histories, but none in use', async () => {
		const { versions } = histories(able);
		await versions(place, question(), never);
		const [first = ''] = kept();
		const unfinished = join(root, 'account', 'forge-desk-abcdef');
		const young = join(root, 'account', 'forge-desk-ghijkl');
		[unfinished, young].forEach((folder) => mkdirSync(folder));
		utimesSync(unfinished, nowMs / 1000 - 100_000, nowMs / 1000 - 100_000);
		nowMs += 60_000;
		await versions(place, question('near', nowMs - 1), never);
		assert.ok(kept().includes(first), 'another window may read it');
		assert.equal(existsSync(unfinished), false);
		assert.equal(existsSync(young), true);
		nowMs += 20 * 60_000;
		await versions(place, question('near', nowMs - 1), never);
		assert.ok(!kept().includes(first));
		nowMs += 31 * dayMs;
		await histories(able).versions({ ...place, room: 'other' }, question('near', nowMs - 1), never);
		assert.deepEqual(kept(), []);
	});

	test('tries the next address, and then only the working one', async () => {
		const called = join(machine.folder, 'called');
		const { versions, contents, runs } = histories(
			`echo "$*" >> '${called}'\ncase "$*" in *other*) echo 'Permission denied (publickey).' >&2; exit 255;; esac\n${able}`,
		);
		const two = { room: 'account', addresses: [otherAddress, address] };
		assert.equal((await versions(two, question(), never)).versions.length, commits);
		await contents(two, [idAt(1)], never);
		assert.deepEqual(runs(), ['fetchHistory', 'fetchHistory', 'versions', 'fetchBlobs']);
		assert.equal(readFileSync(called, 'utf8').trim().split('\n').length, 3);
	});

	test('runs nothing in an untrusted folder, without git, or with an old git', async () => {
		const old = join(machine.folder, 'old-git');
		writeFileSync(old, "#!/bin/sh\necho 'git version 2.31.0'\n", { mode: 0o755 });
		for (const [changes, problem] of [
			[{ isTrusted: () => false }, { kind: 'notTrusted' }],
			[{ environment: { PATH: temp } }, { kind: 'programMissing', program: 'git' }],
			[{ gitPath: async () => old }, { kind: 'tooOld', version: '2.31.0' }],
		] as const) {
			const { versions, contents } = histories(able, {}, { ...machine.parts, ...changes });
			await assert.rejects(versions(place, question(), never), { problem });
			await assert.rejects(contents(place, [idAt(1)], never), { problem });
		}
		assert.deepEqual(kept(), []);
	});
});
