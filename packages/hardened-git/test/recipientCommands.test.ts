import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GitFailure } from '../src/gitFailure.ts';
import { hardenedGit } from '../src/hardenedGit.ts';
import {
	isShowableCommand,
	recipientCommands,
	runRecipientCommand,
	type RecipientCommand,
} from '../src/recipientCommands.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { testMachine, type TestMachine } from '../../../test/support/localMachine.ts';

const never = new AbortController().signal;

suite('commands for recipients', function () {
	this.timeout(60_000);
	let machine: TestMachine;
	let root: string;
	let temp: string;

	setup(() => {
		machine = testMachine();
		root = join(machine.folder, 'clone');
		temp = join(machine.folder, 'temp');
		machine.plain(machine.folder, 'init', '-q', 'clone');
		mkdirSync(join(root, 'scripts'));
		mkdirSync(temp);
	});
	teardown(() => machine.remove());

	const local = (name: string, value: string): string => machine.plain(root, 'config', '--add', name, value);
	const own = (name: string, value: string): string => machine.plain(root, 'config', '--global', '--add', name, value);
	const read = async () => {
		const { commands, headers } = await recipientCommands(machine.git, root, never);
		return [...commands.map(({ setting, field, text, isOwn }) => [setting, field, text, isOwn]), headers];
	};
	const command = (text: string): RecipientCommand => ({
		setting: 'sendemail.ccCmd',
		field: 'cc',
		text,
		origin: 'file:.git/config',
		isOwn: false,
	});
	const run = (text: string, signal = never) =>
		runRecipientCommand({ git: machine.git, tempFolder: temp }, root, command(text), Buffer.from('mail é\n'), signal);

	/** A zombie process counts as ended. */
	function lives(pid: number): boolean {
		try {
			process.kill(pid, 0);
			return !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
		} catch {
			return false;
		}
	}

	test('finds the settings that git would take, and says whose they are', async () => {
		assert.deepEqual(await read(), [undefined]);
		own('sendemail.ccCmd', 'mine');
		own('sendemail.toCmd', 'to "a b"');
		assert.deepEqual(await read(), [
			['sendemail.toCmd', 'to', 'to "a b"', true],
			['sendemail.ccCmd', 'cc', 'mine', true],
			undefined,
		]);
		local('sendemail.ccCmd', 'scripts/get');
		local('sendemail.headerCmd', 'h');
		assert.deepEqual((await read()).slice(1), [['sendemail.ccCmd', 'cc', 'scripts/get', false], 'sendemail.headerCmd']);
		const { commands } = await recipientCommands(machine.git, root, never);
		assert.deepEqual(
			commands.map(({ origin }) => origin),
			[`file:${join(machine.home, '.gitconfig')}`, 'file:.git/config'],
		);
	});

	test('takes an included file of the clone for the clone’s', async () => {
		writeFileSync(join(root, 'project.gitconfig'), '[sendemail]\n\tccCmd = scripts/get\n');
		local('include.path', '../project.gitconfig');
		assert.deepEqual(await read(), [['sendemail.ccCmd', 'cc', 'scripts/get', false], undefined]);
	});

	test('reads a command with invalid bytes, which no question can show', async () => {
		appendFileSync(join(root, '.git/config'), Buffer.from('[sendemail]\n\tccCmd = caf\xe9\n', 'latin1'));
		const { commands } = await recipientCommands(machine.git, root, never);
		assert.deepEqual(commands.map(isShowableCommand), [false]);
	});

	test('prefers the user’s identity, and ignores one of the clone', async () => {
		own('sendemail.Work.ccCmd', 'work');
		own('sendemail.ccCmd', 'mine');
		local('sendemail.identity', 'Work');
		assert.deepEqual(await read(), [['sendemail.ccCmd', 'cc', 'mine', true], undefined]);
		own('sendemail.identity', 'Work');
		assert.deepEqual(await read(), [['sendemail.Work.ccCmd', 'cc', 'work', true], undefined]);
	});

	test('finds none that are suppressed or empty', async () => {
		own('sendemail.toCmd', '');
		own('sendemail.ccCmd', 'mine');
		own('sendemail.suppressCc', 'author');
		assert.deepEqual(await read(), [['sendemail.ccCmd', 'cc', 'mine', true], undefined]);
		own('sendemail.suppressCc', 'cccmd');
		assert.deepEqual(await read(), [undefined]);
	});

	test('runs in the top folder with the mail as its last argument, like git', async () => {
		writeFileSync(join(root, 'scripts/get'), '#!/bin/sh\npwd\ncat "$2"\necho "$1"\n', { mode: 0o755 });
		const { code, output } = await run('scripts/get "a b"');
		assert.deepEqual([code, output.toString('utf8').split('\n').slice(1)], [0, ['mail é', 'a b', '']]);
		assert.match(output.toString('utf8'), /^\S*\/clone\n/);
		assert.equal((await run('sed s/mail/Mail/')).output.toString('utf8'), 'Mail é\n');
		assert.deepEqual(readdirSync(temp), [], 'the mail is removed again');
	});

	test('gives the exit code with the last messages', async () => {
		const { code, complaint } = await run('echo eve@x.org; echo "no maintainers" >&2; exit 3; :');
		assert.deepEqual([code, complaint], [3, 'no maintainers\n']);
		const missing = await run('scripts/missing');
		assert.notEqual(missing.code, 0);
		assert.match(missing.complaint, /scripts\/missing/);
	});

	test('gives it the environment of our git: no editor variables, no network, no hooks', async () => {
		const environment = { ...machine.parts.environment, VSCODE_X: '1', GIT_DIR: '/elsewhere', LC_ALL: 'de_DE.UTF-8' };
		const git = hardenedGit({ ...machine.parts, environment });
		const text = 'env; git config core.hooksPath; git config protocol.allow; :';
		const ran = await runRecipientCommand({ git, tempFolder: temp }, root, command(text), Buffer.from(''), never);
		const lines = ran.output.toString('utf8').split('\n');
		assert.deepEqual(
			lines.filter((line) => /^(?:VSCODE|LC_ALL|GIT_DIR|GIT_ALLOW|GIT_TERMINAL|GIT_ASKPASS)/.test(line)).toSorted(),
			['GIT_ALLOW_PROTOCOL=none', 'GIT_ASKPASS=', 'GIT_TERMINAL_PROMPT=0'],
		);
		assert.deepEqual(lines.slice(-3), [machine.parts.devNull, 'never', '']);
	});

	test('ends a command that prints ten megabytes', async () => {
		await assert.rejects(
			run('yes bob@x.org | head -c 10000000; :'),
			(error: unknown) => error instanceof GitFailure && error.problem.kind === 'tooMuch',
		);
		assert.deepEqual(readdirSync(temp), []);
	});

	test('ends a hanging command with its children', async () => {
		const stop = new AbortController();
		const running = run('sleep 300 & echo $! >child; mv child begun; wait; :', stop.signal);
		await eventually(async () => existsSync(join(root, 'begun')), true);
		stop.abort();
		await assert.rejects(running, { name: 'AbortError' });
		const child = Number(readFileSync(join(root, 'begun'), 'utf8'));
		await eventually(async () => lives(child), false);
		assert.deepEqual(readdirSync(temp), []);
	});

	test('runs nothing in an untrusted window, and nothing that a question can’t show', async () => {
		const git = hardenedGit({ ...machine.parts, isTrusted: () => false });
		const mail = Buffer.from('');
		await assert.rejects(
			runRecipientCommand({ git, tempFolder: temp }, root, command('touch done'), mail, never),
			(error: unknown) => error instanceof GitFailure && error.problem.kind === 'notTrusted',
		);
		const hidden = [
			'touch done\n',
			'touch\u001b done',
			'touch \u202edone',
			'touch done \udcff',
			`touch ${'a'.repeat(1000)}`,
		];
		for (const text of hidden) {
			assert.equal(isShowableCommand(command(text)), false);
			await assert.rejects(run(text), (error: unknown) => error instanceof GitFailure);
		}
		assert.equal(isShowableCommand(command('scripts/get --größe "a b" | sort')), true);
		assert.equal(existsSync(join(root, 'done')), false);
	});
});
