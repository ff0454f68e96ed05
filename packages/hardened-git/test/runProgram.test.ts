import assert from 'node:assert/strict';
import {
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { isAbort } from '@forge-desk/base/abort.ts';
import { fileInClone } from '../src/fileInClone.ts';
import { findProgram, programEnvironment, runProgram, streamProgram, type ProgramRun } from '../src/runProgram.ts';
import { gitCommands } from '../src/gitCommands.ts';
import { GitFailure } from '../src/gitFailure.ts';
import { testMachine } from '../../../test/support/localMachine.ts';

const never = new AbortController().signal;

suite('runProgram', () => {
	let folder: string;
	setup(() => {
		folder = mkdtempSync(join(tmpdir(), 'run-program-'));
	});
	teardown(() => rmSync(folder, { recursive: true, force: true }));

	/** Runs a shell in place of any program. */
	function shell(script: string, changes: Partial<ProgramRun> = {}): ProgramRun {
		return {
			name: 'git',
			path: '/bin/sh',
			args: ['-c', script],
			folder,
			environment: { PATH: process.env['PATH'] ?? '' },
			timeMs: 20_000,
			outputBytes: 1_000_000,
			...changes,
		};
	}

	async function problem(work: Promise<unknown>): Promise<string> {
		try {
			await work;
		} catch (error) {
			return error instanceof GitFailure ? error.problem.kind : isAbort(error) ? 'aborted' : String(error);
		}
		return 'none';
	}

	/** Resolves when the process with the recorded id has ended; if it never ends, the test times out. */
	async function gone(): Promise<void> {
		const pid = Number(readFileSync(join(folder, 'child'), 'utf8'));
		while (lives(pid)) {
			await new Promise((resolve) => setImmediate(resolve));
		}
	}

	/** A zombie process counts as ended. */
	function lives(pid: number): boolean {
		try {
			process.kill(pid, 0);
			return !existsSync('/proc/self/stat') || !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
		} catch {
			return false;
		}
	}

	test('returns exit code, output and stderr, and passes input to the program', async () => {
		const run = shell('cat; echo no >&2; exit 3', { input: Buffer.from('in') });
		const { code, output, complaint } = await runProgram(run, never);
		assert.deepEqual([code, output.toString(), complaint], [3, 'in', 'no\n']);
	});

	test('starts before its input is known and passes nothing if the input fails', async () => {
		const known = Promise.withResolvers<undefined>();
		const started = Promise.withResolvers<undefined>();
		const input = new TextEncoder().encode('said later');
		const onStart = (): void => started.resolve(undefined);
		const running = runProgram(shell('cat', { input, inputAfter: known.promise, onStart }), never);
		await started.promise;
		known.resolve(undefined);
		assert.equal((await running).output.toString(), 'said later');
		const failed = Promise.reject(new Error('never known'));
		assert.equal((await runProgram(shell('cat', { input, inputAfter: failed }), never)).output.toString(), '');
	});

	test('reports a missing program or folder', async () => {
		assert.equal(await problem(runProgram(shell('', { path: join(folder, 'none') }), never)), 'programMissing');
		const gone = join(folder, 'gone');
		assert.equal(await problem(runProgram(shell('', { folder: gone }), never)), 'folderMissing');
		writeFileSync(gone, 'a file');
		assert.equal(await problem(runProgram(shell('', { folder: gone }), never)), 'folderMissing');
	});

	test('kills the program and its children at the deadline', async () => {
		const run = shell('sleep 300 & echo $! > child; wait', { timeMs: 500 });
		assert.equal(await problem(runProgram(run, never)), 'tooSlow');
		await gone();
	});

	test('pauses the deadline while a question is open', async () => {
		const questions = { isOpen: () => true, onDidChange: () => ({ dispose: () => undefined }) };
		assert.equal(await problem(runProgram(shell('echo on', { timeMs: 0, questions }), never)), 'none');
		assert.equal(await problem(runProgram(shell('read never; sleep 300', { timeMs: 0 }), never)), 'tooSlow');
	});

	test('kills a stubborn program and its children on abort', async function () {
		this.timeout(10_000);
		const control = new AbortController();
		const script = 'trap "" TERM; sleep 300 & echo $! > child; echo on; while :; do wait; done';
		const running = streamProgram(shell(script), control.signal);
		await running.next();
		control.abort();
		assert.equal(await problem(running.next()), 'aborted');
		await gone();
	});

	test('kills the program when the consumer stops reading', async () => {
		const running = streamProgram(shell('echo $$ > child; while :; do echo on; done'), never);
		await running.next();
		await running.return({ code: undefined, complaint: '' });
		await gone();
	});

	test('kills a program with too much output', async () => {
		const run = shell('echo $$ > child; while :; do echo on; done', { outputBytes: 10_000 });
		assert.equal(await problem(runProgram(run, never)), 'tooMuch');
		await gone();
	});

	test('starts nothing if already aborted', async () => {
		const control = new AbortController();
		control.abort();
		assert.equal(await problem(runProgram(shell('touch begun'), control.signal)), 'aborted');
		assert.equal(existsSync(join(folder, 'begun')), false);
	});

	test('searches only PATH and skips relative entries and open folders', async () => {
		const [open, own, dull] = [join(folder, 'open'), join(folder, 'own'), join(folder, 'dull')];
		mkdirSync(dull);
		writeFileSync(join(dull, 'git'), 'a text that is no program\n', { mode: 0o644 });
		for (const place of [open, join(open, 'bin'), own]) {
			mkdirSync(place);
			writeFileSync(join(place, 'git'), '#!/bin/sh\n');
			chmodSync(join(place, 'git'), 0o755);
		}
		const path = ['.', '', 'open', open, join(open, 'bin'), dull, own].join(delimiter);
		const places = { path, isWindows: false, refusedFolders: [open] };
		const before = process.cwd();
		process.chdir(open);
		try {
			assert.equal(await findProgram('git', places), join(own, 'git'));
			assert.equal(await findProgram('git', places, 'git'), join(own, 'git'));
			assert.equal(await findProgram('git', places, join(own, 'git')), join(own, 'git'));
			assert.equal(await findProgram('git', { ...places, path: `.${delimiter}${open}` }), undefined);
			assert.equal(await findProgram('git', { ...places, refusedFolders: ['/'] }), join(open, 'git'));
		} finally {
			process.chdir(before);
		}
	});

	test('skips links into an open folder and links to programs in it', async () => {
		const [open, own] = [join(folder, 'open'), join(folder, 'own')];
		const [linkToOpen, linkToBin, ofLinks] = [join(folder, 'link'), join(folder, 'bin'), join(folder, 'links')];
		[open, join(open, 'bin'), own, ofLinks].forEach((place) => mkdirSync(place));
		for (const place of [open, join(open, 'bin'), own]) {
			writeFileSync(join(place, 'git'), '#!/bin/sh\n', { mode: 0o755 });
		}
		symlinkSync(open, linkToOpen);
		symlinkSync(join(open, 'bin'), linkToBin);
		symlinkSync(join(open, 'bin', 'git'), join(ofLinks, 'git'));
		const find = (entries: readonly string[], refused: string): Promise<string | undefined> =>
			findProgram('git', { path: entries.join(delimiter), isWindows: false, refusedFolders: [refused] });
		for (const entry of [linkToOpen, linkToBin, ofLinks, join(linkToOpen, 'bin')]) {
			assert.equal(await find([entry], open), undefined, entry);
			assert.equal(await find([entry, own], open), join(own, 'git'));
		}
		// The path of the open folder may itself be a link.
		assert.equal(await find([open, linkToBin], linkToOpen), undefined);
		symlinkSync('/', join(folder, 'root'));
		assert.equal(await find([own], join(folder, 'root')), join(own, 'git'), 'the root is no folder to refuse');
		symlinkSync(own, join(open, 'tools'));
		assert.equal(await find([join(open, 'tools')], open), undefined, 'a way through what is open is one of its own');
		symlinkSync(own, join(folder, 'tools'));
		assert.equal(await find([join(folder, 'tools')], open), join(folder, 'tools', 'git'));
	});

	test('clears variables that redirect git and disables its prompts', () => {
		const environment = programEnvironment(
			{
				PATH: ['.', '/usr/bin', 'x'].join(delimiter),
				HOME: '/home/alice',
				https_proxy: 'http://proxy',
				GIT_DIR: '/x',
				GIT_CONFIG_COUNT: '1',
				GIT_CONFIG_KEY_0: 'safe.directory',
				GIT_CONFIG_VALUE_0: '*',
				GIT_CONFIG_PARAMETERS: "'core.pager=x'",
				GIT_EXTERNAL_DIFF: 'x',
				git_work_tree: '/x',
				GIT_SSH_COMMAND: 'ssh -i key',
				FORGE_DESK_SAMPLE_FORGE: 'secret',
				VSCODE_PID: '1',
				NODE_OPTIONS: '--inspect',
				LC_ALL: 'de_DE.UTF-8',
				UNSET: undefined,
			},
			['https', 'ssh'],
		);
		assert.deepEqual(environment, {
			PATH: '/usr/bin',
			HOME: '/home/alice',
			https_proxy: 'http://proxy',
			GIT_CONFIG_COUNT: '1',
			GIT_CONFIG_KEY_0: 'safe.directory',
			GIT_CONFIG_VALUE_0: '*',
			GIT_SSH_COMMAND: 'ssh -i key',
			LC_CTYPE: 'de_DE.UTF-8',
			LC_MESSAGES: 'C',
			GIT_TERMINAL_PROMPT: '0',
			GIT_ASKPASS: '',
			GIT_OPTIONAL_LOCKS: '0',
			GIT_NO_REPLACE_OBJECTS: '1',
			GIT_NO_LAZY_FETCH: '1',
			GIT_PROTOCOL_FROM_USER: '0',
			GIT_PAGER: 'cat',
			GIT_ALLOW_PROTOCOL: 'https:ssh',
		});
	});

	test('refuses to run in an untrusted workspace', async () => {
		const machine = testMachine({ isTrusted: () => false });
		const command = gitCommands.hasCommit('a'.repeat(40));
		assert.equal(await problem(machine.git.run(command, { folder }, never)), 'notTrusted');
		assert.equal(await problem(machine.git.stream(command, { folder }, never).next()), 'notTrusted');
		machine.remove();
	});

	test('fileInClone() distinguishes files of a clone from paths that lead out of it', async () => {
		const root = join(folder, 'clone');
		mkdirSync(join(root, 'src'), { recursive: true });
		writeFileSync(join(folder, 'secret'), '');
		writeFileSync(join(root, 'src/a.c'), '');
		symlinkSync('../secret', join(root, 'out'));
		symlinkSync('src/a.c', join(root, 'in'));
		symlinkSync('..', join(root, 'up'));
		symlinkSync('nowhere', join(root, 'broken'));
		const found = await Promise.all(
			['src/a.c', 'in', 'src', 'out', 'up/secret', '../secret', 'broken', 'none', 'src/a.c/x'].map((path) =>
				fileInClone(root, path),
			),
		);
		const kinds = ['file', 'file', 'folder', 'outside', 'outside', 'outside', 'missing', 'missing', 'missing'];
		assert.deepEqual(found, kinds);
	});
});
