import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAbort } from '@forge-desk/base/abort.ts';
import { cancelAnnounced } from '../../../../support/cancelAnnounced.ts';
import { posting, submitWorld, type SubmitWorld } from '../support/submitWorld.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';

const without = 'Continue Without It';

suite('recipients by commands in git’s settings', function () {
	this.timeout(60_000);
	let world: SubmitWorld;

	setup(() => {
		resetStub();
		world = submitWorld();
	});
	teardown(() => world.remove());

	/** Writes the lines that a command of the clone prints; it counts its runs. */
	function script(lines: string): void {
		mkdirSync(join(world.root, '.git/scripts'), { recursive: true });
		writeFileSync(join(world.root, '.git/scripts/get'), `#!/bin/sh\necho "$1" >>"$HOME/ran"\n${lines}\n`, {
			mode: 0o755,
		});
	}
	const setLocal = (name: string, value: string): string => world.inClone('config', name, value);
	const setOwn = (name: string, value: string): string => world.inClone('config', '--global', name, value);
	const runs = (): number => {
		const path = join(world.home, 'ran');
		return existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n').length : 0;
	};
	const prepare = async (...answers: readonly (string | undefined)[]): Promise<void> => {
		stubbed.answers.push(...answers);
		await world.run('forge.submit.prepare');
		assert.deepEqual(stubbed.answers, [], 'not everything was asked');
	};
	const look = async (...answers: readonly (string | undefined)[]): Promise<void> => {
		await assert.rejects(prepare(...answers, undefined), isAbort);
	};
	const rowOf = (label: string): string | undefined => stubbed.offered.find((row) => row.label === label)?.description;
	const plain = ['Send Without a Cover Letter', 'Preview Patches'] as const;

	test('asks with the command and its origin before it runs one of the clone', async () => {
		script('echo "Eve <eve@forge.test>"');
		setLocal('sendemail.ccCmd', '.git/scripts/get --all');
		await look(without);
		assert.deepEqual(stubbed.shown, ['Run sendemail.ccCmd to find recipients?']);
		assert.match(
			stubbed.details.join(),
			/^\.git\/scripts\/get --all\n\nThe configuration of this clone has this command: file:\.git\/config\n\nIt runs in \S*\/quill, once for each patch/,
		);
		assert.deepEqual([runs(), rowOf('Recipient Commands…'), rowOf('Cc…')], [0, 'sendemail.ccCmd: not run', 'None']);
		// Closing the question ends the command.
		await assert.rejects(prepare(undefined), isAbort);
		assert.equal(runs(), 0);
	});

	test('runs it once for each patch after a yes, and asks no second time for this clone and text', async () => {
		script('grep -q "^+two" "$2" && echo "Doe, Bob <bob@forge.test>"; echo carol@forge.test; echo alice@forge.test');
		setLocal('sendemail.ccCmd', '.git/scripts/get --all');
		await look('Run Command');
		assert.equal(runs(), 2);
		assert.equal(rowOf('Cc…'), '"Doe, Bob" <bob@forge.test>, carol@forge.test');
		assert.equal(rowOf('Recipient Commands…'), 'sendemail.ccCmd: 3 recipients');
		await look();
		assert.equal(runs(), 4);
	});

	test('asks again if the text, the clone or the setting changes', async () => {
		script('echo bob@forge.test');
		setLocal('sendemail.ccCmd', '.git/scripts/get a');
		await look('Run Command');
		setLocal('sendemail.ccCmd', '.git/scripts/get b');
		await look(without);
		assert.equal(runs(), 2);
		setLocal('sendemail.ccCmd', '.git/scripts/get a');
		setLocal('sendemail.toCmd', '.git/scripts/get a');
		await look(without);
		assert.deepEqual([runs(), stubbed.shown.at(-1)], [4, 'Run sendemail.toCmd to find recipients?']);
		world.inClone('config', '--unset', 'sendemail.toCmd');
		for (const [key, value] of world.flags) {
			world.flags.set(key, JSON.parse(JSON.stringify(value).replaceAll(world.root, `${world.root}-2`)));
		}
		await look(without);
		assert.equal(runs(), 4);
	});

	test('asks about a command of the user’s own once in each clone, because it may name a program of the clone', async () => {
		script('echo bob@forge.test');
		setOwn('sendemail.ccCmd', '.git/scripts/get');
		await look(without);
		assert.match(stubbed.details.join(), /\n\nYour own configuration of git has this command: file:\S*\.gitconfig\n/);
		assert.equal(runs(), 0);
	});

	test('sends to exactly the shown recipients, and never runs a command while it sends', async () => {
		script('echo "Bob <bob@forge.test>"; echo "$1" >&2');
		setLocal('sendemail.ccCmd', '.git/scripts/get cc');
		setLocal('sendemail.toCmd', 'echo "Dan <dan@forge.test>"; :');
		await prepare('Run Command', 'Run Command', ...plain);
		const shown = await world.preview();
		for (const line of [
			'From sendemail.toCmd: Dan <dan@forge.test>',
			'From sendemail.ccCmd: Bob <bob@forge.test>',
			`To: ${posting}, Dan <dan@forge.test>`,
			'Cc: Bob <bob@forge.test>',
		]) {
			assert.ok(shown.split('\n').includes(line), `${line}\n${shown}`);
		}
		assert.equal(runs(), 2);
		script('echo eve@forge.test');
		stubbed.answers.push('Send');
		await world.run('forge.submit.send', world.previewUri());
		assert.deepEqual(
			world.mailer.sent.map(({ to, cc }) => [to, cc]),
			[1, 2].map(() => [[posting, 'Dan <dan@forge.test>'], ['Bob <bob@forge.test>']]),
		);
		assert.equal(runs(), 2);
		assert.doesNotMatch(stubbed.details.join(), /is in no message of the list/, 'the command knows them');
	});

	test('finds the recipients that git send-email finds for the same commits', async () => {
		const lines = [
			'Bob Builder <bob@forge.test>',
			'  carol@forge.test  ',
			'"Doe, Jane" <jane@forge.test>',
			'Dr. Fay O.Reilly <fay@forge.test>',
			'Jörg <joerg@forge.test>',
			'Bob Builder <bob@forge.test>',
		];
		writeFileSync(join(world.home, 'people'), `${lines.join('\n')}\n`);
		script('case "$1" in --to) echo dan@forge.test;; *) cat "$HOME/people";; esac');
		setLocal('sendemail.ccCmd', '.git/scripts/get --cc');
		setLocal('sendemail.toCmd', '.git/scripts/get --to');
		const envelope = ['--from=alice@forge.test', `--to=${posting}`, '--smtp-server=/bin/true', '--suppress-cc=body'];
		const quiet = ['--dry-run', '--confirm=never', '--suppress-cc=author', '--suppress-cc=self'];
		const told = world.inClone('send-email', ...quiet, ...envelope, `${world.base}..main`);
		const byGit = Array.from(told.matchAll(/^Sendmail: \S+ -i (.*)$/gm), ([, people = '']) => people.split(' '));
		assert.deepEqual(
			byGit.map((people) => people.length),
			[7, 7],
			told,
		);
		await prepare('Run Command', 'Run Command', ...plain);
		stubbed.answers.push('Send');
		await world.run('forge.submit.send', world.previewUri());
		const sent = world.mailer.sent.map(({ to, cc }) =>
			[...to, ...cc].map((person) => /([^\s<>]+)>?$/.exec(person)?.[1]),
		);
		assert.deepEqual(sent, byGit);
	});

	test('names a recipient no longer that the user removed', async () => {
		script('echo bob@forge.test; echo carol@forge.test');
		setLocal('sendemail.ccCmd', '.git/scripts/get');
		await prepare('Run Command', 'Cc…', 'carol@forge.test', ...plain);
		const shown = await world.preview();
		assert.match(shown, /^From sendemail\.ccCmd: carol@forge\.test$/m);
		assert.doesNotMatch(shown, /bob@/);
	});

	test('shows the messages of a failing command, and continues without it only on request', async () => {
		script('echo bob@forge.test; echo "no maintainers here" >&2; exit 2');
		setLocal('sendemail.ccCmd', '.git/scripts/get');
		await assert.rejects(prepare('Run Command', undefined), isAbort);
		assert.deepEqual(stubbed.shown.at(-1), 'sendemail.ccCmd failed for "[PATCH 1/2] Write two".');
		assert.equal(stubbed.details.at(-1), 'no maintainers here');
		await prepare('Try Again', without, ...plain, 'Preview Anyway');
		assert.equal(runs(), 3);
		const missing = 'sendemail.ccCmd was not run. The messages leave without its recipients.';
		assert.ok(stubbed.details.some((detail) => detail.includes(missing)));
		assert.match(await world.preview(), new RegExp(`^${missing}$`, 'm'));
		assert.doesNotMatch(await world.preview(), /bob@/);
		stubbed.answers.push('Send');
		await world.run('forge.submit.send', world.previewUri());
		assert.ok(stubbed.details.at(-1)?.includes(missing));
	});

	test('takes nothing from a command that prints too much, too many people, or no addresses', async () => {
		setLocal('sendemail.ccCmd', '.git/scripts/get');
		for (const [lines, why] of [
			['yes bob@forge.test | head -c 10000000', 'It printed too much and was stopped.'],
			['for i in $(seq 1500); do echo "p$i@forge.test"; done', 'It printed more than 100 recipients.'],
			[
				'id=$(cksum <"$1" | cut -d" " -f1); for i in $(seq 60); do echo "p$id-$i@forge.test"; done',
				'It printed more than 100 recipients.',
			],
			['echo bob@forge.test; echo usage', 'It printed a line that is not one email address: usage'],
		] as const) {
			script(lines);
			await look(...(runs() === 0 ? ['Run Command'] : []), without);
			assert.equal(stubbed.details.at(-1), why);
			assert.equal(rowOf('Cc…'), 'None');
		}
	});

	test('stops a hanging command when its progress is cancelled', async () => {
		script('sleep 300');
		setLocal('sendemail.ccCmd', '.git/scripts/get');
		const looking = look('Run Command', without);
		await cancelAnnounced(/^Running sendemail\.ccCmd/);
		await looking;
		assert.equal(stubbed.shown.at(-1), 'sendemail.ccCmd was stopped.');
		assert.deepEqual([runs(), rowOf('Recipient Commands…')], [1, 'sendemail.ccCmd: not run']);
	});

	test('runs it again from its row, and for other commits unless it was declined', async () => {
		script('echo bob@forge.test');
		setLocal('sendemail.ccCmd', '.git/scripts/get');
		await look(without, 'Recipient Commands…', 'Run Command');
		assert.deepEqual([runs(), rowOf('Cc…')], [2, 'bob@forge.test']);
		await look('Commits…', 'Choose First and Last Commit…', 'Write b');
		assert.equal(runs(), 5, 'two patches, then one');
		setLocal('sendemail.ccCmd', '.git/scripts/get other');
		await look(without, 'Commits…', 'Choose First and Last Commit…', 'Write b');
		assert.equal(runs(), 5);
	});

	test('keeps the yes, and nothing else, of a window that ends while the command runs', async () => {
		script('echo begun >"$HOME/begun"; sleep 300');
		setLocal('sendemail.ccCmd', '.git/scripts/get');
		const ended = assert.rejects(
			world.run('forge.submit.prepare').finally(() => assert.equal(existsSync(join(world.home, 'begun')), true)),
		);
		stubbed.answers.push('Run Command');
		await cancelAnnounced(/^Running sendemail\.ccCmd/);
		await ended;
		assert.equal(world.kept.read(), undefined);
		script('echo bob@forge.test');
		rmSync(join(world.home, 'ran'));
		await look();
		assert.deepEqual([runs(), rowOf('Cc…')], [2, 'bob@forge.test']);
	});

	test('does not run a command that a question can’t show', async () => {
		setLocal('sendemail.ccCmd', 'touch "$HOME/ran" # \u202e');
		await look(without);
		assert.equal(stubbed.shown.at(-1), 'sendemail.ccCmd was not run.');
		assert.match(stubbed.details.at(-1) ?? '', /characters that cannot be shown.*file:\.git\/config/);
		assert.equal(runs(), 0);
	});

	test('says that no command adds headers', async () => {
		setOwn('sendemail.headerCmd', '.git/scripts/get');
		await prepare(...plain, 'Preview Anyway');
		assert.match(
			await world.preview(),
			/^sendemail\.headerCmd was not run\. The messages leave without its headers\.$/m,
		);
		assert.equal(runs(), 0);
	});
});
