import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { isAbort } from '@forge-desk/base/abort.ts';
import { GitFailure } from '../src/gitFailure.ts';
import { withAskPass } from '../src/askPass.ts';
import { hardenedGit, type AskPass, type GitNetwork } from '../src/hardenedGit.ts';
import { gitCommands } from '../src/gitCommands.ts';
import { ownIdentity, sendMail, type MailSent, type MailToSend } from '../src/sendMail.ts';
import { readPlainMail } from 'patchmail/mail/mailReader.ts';
import { peopleIn } from 'patchmail/mail/mailDraftText.ts';
import { mailForGit, mailText, type OutgoingMail } from 'patchmail/mail/outgoingMail.ts';
import { openSmtpDoor, type SmtpDoor } from 'sample-forge/mail/smtpDoor.ts';
import { counts, seed } from '../../../test/support/counts.ts';
import { gitRecipients } from './support/gitRecipients.ts';
import { addSettings, settingVariables } from '../../../test/support/gitSettings.ts';
import { testMachine, type TestMachine } from '../../../test/support/localMachine.ts';
import { madeOnce } from '../../../test/support/madeOnce.ts';
import { testInBoth, testInRest } from '../../../test/support/parts.ts';
import { keepProofTable } from '../../../test/support/proofTable.ts';

const never = new AbortController().signal;
const list = '~ada/lantern-devel@lists.example.org';

const reply: OutgoingMail = {
	from: { name: 'Carol Nakamura', address: 'carol@forge.test' },
	to: [{ name: '', address: list }],
	cc: [
		{ name: 'Zoë "z" von und zu mit einem wirklich sehr langen Namen, Erste', address: 'zoe@example.org' },
		{ name: 'Bob J. Builder', address: 'bob@example.org' },
	],
	subject: 'Re: [PATCH lantern 1/3] ring: größer',
	messageId: '<reply-1@forge.test>',
	inReplyTo: '<lantern-1@example.org>',
	references: ['<lantern-0@example.org>', '<lantern-1@example.org>'],
	patchsetStatus: 'needs_revision',
	body: '> +\tsigned\n\nSchöner Fund.\n\nSigned-off-by: Mallory <mallory@evil.test>\nReviewed-by: Carol Nakamura <carol@forge.test>\nCc: dave@evil.test\n',
};

/** Names that some program reads as a recipient, a group, a comment or the end of a name. */
const hostileNames = [
	'mallory@evil.example',
	'mallory@evil.example <security@project.example>, eve',
	'<mallory@evil.example>',
	'Max (mallory@evil.example)',
	'"mallory@evil.example"',
	'\\"mallory@evil.example\\"',
	'a, mallory@evil.example, b',
	'mallory@evil.example;',
	'mallory@evil.example:',
	'undisclosed: mallory@evil.example;',
	'mallory @ evil.example',
	'mallory@[192.0.2.1]',
	'=?utf-8?q?mallory=40evil.example?=',
	'=?utf-8?b?bWFsbG9yeUBldmlsLmV4YW1wbGU=?=',
	'mallory\u{FF20}evil.example',
	'Zoë mallory@evil.example',
	"Miles O'Brien",
	"Miles 'mallory@evil.example",
	'Lee, Ann',
	'Lee, Ann (Acme; Ltd.)',
	'Bob J. Builder',
	'--to=mallory@evil.example',
	'$(id)@evil.example',
	'mallory%evil.example@relay.example',
	'x'.repeat(115) + '@evil.example',
	'<',
	'>',
	'"',
	'(',
	'\\',
	'@',
];

interface Received {
	readonly sender: string;
	readonly recipients: readonly string[];
	readonly source: string;
}

/** A foreign repository that contains even the folder for temporary files. */
interface Trapped {
	readonly root: string;
	/** Names of traps triggered since the last call. */
	sprung(): readonly string[];
	/** A program that leaves a mark. */
	program(trap: string, output?: string): string;
	/** Adds a setting to the repository. */
	set(name: string, value: string): void;
}

suite('sending a mail with git', () => {
	let machine: TestMachine;
	let trapped: Trapped;
	let door: SmtpDoor;
	let parts: GitNetwork;
	let received: Received[] = [];
	let refusal: string | undefined;

	setup(async () => {
		machine = testMachine();
		received = [];
		refusal = undefined;
		door = await openSmtpDoor(
			() => ({
				hostName: 'mail.example.org',
				maxBytes: 1_000_000,
				refuseRecipient: () => refusal,
				deliver: (recipients, mail, sender) => {
					received.push({ sender, recipients, source: Buffer.from(mail).toString('latin1') });
					return undefined;
				},
			}),
			0,
		);
		trapped = trap(machine);
		const tempFolder = join(trapped.root, 'tmp');
		mkdirSync(tempFolder);
		parts = { git: machine.git, tempFolder, askPass: undefined };
		server(door);
	});
	teardown(async () => {
		await door.close();
		machine.remove();
	});

	const ownSettings = (): string => join(machine.home, '.gitconfig');
	const global = (name: string, value: string): void => addSettings(ownSettings(), [[name, value]]);
	const server = ({ host, port }: Pick<SmtpDoor, 'host' | 'port'>, section = 'sendemail'): void => {
		global(`${section}.smtpServer`, host);
		global(`${section}.smtpServerPort`, String(port));
		global(`${section}.smtpDomain`, 'carol.example.org');
	};

	const ownIdentityBy = (git = parts.git, clone?: string, email?: string): ReturnType<typeof ownIdentity> =>
		ownIdentity(git, parts.tempFolder, clone, email, never);

	function forGit(mail: OutgoingMail = reply): MailToSend {
		const made = mailForGit(mail);
		assert.ok(made);
		return made;
	}

	const send = (mail: OutgoingMail = reply, signal = never): Promise<MailSent> => sendMail(parts, forGit(mail), signal);

	function onlyOne(): Received {
		assert.equal(received.length, 1);
		const [only] = received;
		assert.ok(only);
		return only;
	}

	/** Asserts that recipients, headers and text equal the preview. */
	function assertAsPreviewed(): void {
		const { recipients, source } = onlyOne();
		assert.deepEqual(recipients, [list, 'zoe@example.org', 'bob@example.org']);
		const read = readPlainMail(source);
		assert.deepEqual(
			[read?.from, read?.to, read?.cc, read?.subject, read?.messageId, read?.inReplyTo, read?.references, read?.body],
			[[reply.from], reply.to, reply.cc, reply.subject, reply.messageId, reply.inReplyTo, reply.references, reply.body],
		);
		assert.deepEqual(read?.headers.map(({ name }) => name).toSorted(), [
			'cc',
			'content-transfer-encoding',
			'content-type',
			'date',
			'from',
			'in-reply-to',
			'message-id',
			'mime-version',
			'references',
			'subject',
			'to',
			'x-sourcehut-patchset-update',
		]);
	}

	test('sends exactly the previewed mail and leaves no temporary files', async () => {
		assert.deepEqual(await send(), { kind: 'sent' });
		assertAsPreviewed();
		assert.deepEqual(readdirSync(parts.tempFolder), []);
	});

	testInRest('ignores the user’s server, program and user name when the mail goes to a local server', async () => {
		global('sendemail.smtpServer', 'mail.example.org');
		global('sendemail.smtpEncryption', 'tls');
		global('sendemail.smtpUser', 'carol');
		global('sendemail.sendmailCmd', `touch ${join(trapped.root, 'sent')} #`);
		assert.deepEqual(await sendMail(parts, { ...forGit(), ownPort: door.port }, never), { kind: 'sent' });
		assertAsPreviewed();
		assert.ok(!existsSync(join(trapped.root, 'sent')));
	});

	testInBoth('delivers to the displayed addresses despite hostile names, as sender, in To and in Cc', async () => {
		const people = (part: string) =>
			hostileNames.map((name, at) => ({ name, address: `${part}${at}@project.example` }));
		const mail = { ...reply, to: people('to'), cc: people('cc') };
		assert.deepEqual(await send(mail), { kind: 'sent' });
		const shown = /^To: (.*)\nCc: (.*)$/m.exec(mailText(mail)) ?? [];
		const everybody = [...mail.to, ...mail.cc].map(({ address }) => address);
		assert.deepEqual(onlyOne().recipients, everybody);
		assert.deepEqual(
			shown.slice(1).flatMap((line) => peopleIn(line)?.map(({ address }) => address)),
			everybody,
		);
		const read = readPlainMail(onlyOne().source);
		assert.deepEqual(
			[...(read?.to ?? []), ...(read?.cc ?? [])].map(({ address }) => address),
			everybody,
		);
		for (const name of hostileNames.slice(0, counts({ first: 2, small: 4, full: hostileNames.length }))) {
			received = [];
			assert.deepEqual(await send({ ...reply, from: { name, address: 'carol@forge.test' } }), { kind: 'sent' }, name);
			assert.equal(onlyOne().sender, 'carol@forge.test', name);
		}
	});

	testInBoth('yields one recipient per argument for any name', () => {
		const name = fc
			.array(
				fc.oneof(
					fc.constantFrom(
						...hostileNames,
						...Array.from(' \t\n"\\\'<>()[]@,;:.=?%&|`~^$-'),
						'@evil.example',
						'mallory',
					),
					fc.string({ unit: 'binary', maxLength: 8 }),
				),
				{ maxLength: 8 },
			)
			.map((pieces) => pieces.join(''));
		const numRuns = counts({ first: 100, small: 400, full: 10_000 });
		const names = [...hostileNames, ...fc.sample(name, { numRuns, seed: seed() })];
		const people = names.map((each, at) => ({ name: each, address: `person${at}@project.example` }));
		const written = forGit({ ...reply, to: people }).to;
		assert.deepEqual(
			gitRecipients(written),
			people.map(({ address }) => address),
		);
		keepProofTable('Recipients of hostile names', [
			['names', 'wrong recipients'],
			[names.length, 0],
		]);
	});

	test('reports notSent for an address that git cannot read', async () => {
		const sent = await send({ ...reply, cc: [{ name: 'Bob', address: 'bob@localhost' }] });
		assert.ok(sent.kind === 'notSent');
		assert.match(sent.complaint, /bob@localhost/);
		assert.deepEqual(received, []);
	});

	test('reaches other recipients and runs programs of a hostile repository with plain git', async () => {
		const file = join(trapped.root, 'mail.eml');
		writeFileSync(file, `From: carol@forge.test\n${forGit().source}`);
		const env = { ...machine.parts.environment, GIT_TERMINAL_PROMPT: '0' };
		const who = ['-c', 'user.name=Carol', '-c', 'user.email=carol@forge.test'];
		const args = [...who, 'send-email', '--from=carol@forge.test', `--to=${list}`, file];
		await promisify(execFile)('git', args, { cwd: trapped.root, env });
		const { recipients } = onlyOne();
		// The repository redirects the list by an alias, and a trailer adds another recipient.
		assert.deepEqual(
			['alias', 'bcc', 'cccmd', 'dave', 'eve', 'mallory', 'to', 'tocmd'].filter(
				(who) => !recipients.includes(`${who}@evil.test`),
			),
			['to'],
			recipients.join(' '),
		);
		assert.ok(!recipients.includes(list));
		// `headerCmd` exists since git 2.41.
		const sprung = trapped.sprung().filter((trap) => trap !== 'headercmd');
		assert.deepEqual(sprung, ['cccmd', 'tocmd', 'validate']);
	});

	test('takes no recipients, headers or programs from a repository', async () => {
		trapped.set('sendemail.smtpServer', trapped.program('sendmail'));
		assert.deepEqual(await send(), { kind: 'sent' });
		assertAsPreviewed();
		assert.deepEqual(trapped.sprung(), []);
	});

	test('takes server and name from the user’s settings, but no recipients, headers or programs', async () => {
		rmSync(ownSettings());
		server(door, 'sendemail.work');
		global('sendemail.identity', 'work');
		global('sendemail.smtpServer', 'nowhere.invalid');
		for (const section of ['sendemail', 'sendemail.work']) {
			global(`${section}.to`, 'to@own.test');
			global(`${section}.cc`, 'cc@own.test');
			global(`${section}.bcc`, 'bcc@own.test');
			global(`${section}.toCmd`, trapped.program('own-to', 'tocmd@own.test'));
			global(`${section}.ccCmd`, trapped.program('own-cc', 'cccmd@own.test'));
			global(`${section}.headerCmd`, trapped.program('own-header', 'X-Own: header'));
			global(`${section}.signedOffByCc`, 'true');
			global(`${section}.suppressFrom`, 'false');
			global(`${section}.suppressCc`, 'author');
			global(`${section}.from`, 'other@own.test');
			global(`${section}.annotate`, 'true');
			global(`${section}.confirm`, 'always');
			global(`${section}.validate`, 'true');
			global(`${section}.thread`, 'true');
			global(`${section}.chainReplyTo`, 'true');
			global(`${section}.transferEncoding`, 'base64');
		}
		const aliases = join(machine.folder, 'aliases');
		writeFileSync(aliases, `alias ${list} alias@own.test\nalias bob@example.org alias@own.test\n`);
		global('sendemail.aliasesFile', aliases);
		global('sendemail.aliasFileType', 'mutt');
		global('core.editor', trapped.program('own-editor'));
		assert.deepEqual(await send(), { kind: 'sent' });
		assertAsPreviewed();
		assert.deepEqual(trapped.sprung(), []);
	});

	test('asks the user’s credential helper, or the editor if there is none', async () => {
		global('sendemail.smtpUser', 'carol');
		parts = {
			...parts,
			askPass: { program: trapped.program('ask', 'secret'), environment: { ASKED_FOR: 'forge desk' } },
		};
		await send();
		assert.deepEqual(trapped.sprung(), ['ask']);
		global('credential.helper', `!${trapped.program('helper', 'password=secret')}`);
		await send();
		assert.deepEqual(trapped.sprung(), ['helper']);
	});

	test('asks for the password in the editor and keeps it out of files and arguments', async () => {
		global('sendemail.smtpUser', 'carol');
		const asked: string[] = [];
		let open: AskPass | undefined;
		const isOpen: (boolean | undefined)[] = [];
		const asking = async <T>(reply: string | undefined, work: (askPass: AskPass) => Promise<T>): Promise<T> =>
			withAskPass(
				{ tempFolder: parts.tempFolder, node: process.execPath, isWindows: false },
				async (question) => {
					asked.push(question);
					isOpen.push(open?.questions?.isOpen());
					return reply;
				},
				never,
				(askPass) => {
					open = askPass;
					isOpen.push(askPass.questions?.isOpen());
					return work(askPass);
				},
			);
		await asking('open sesame', (askPass) => sendMail({ ...parts, askPass }, forGit(), never));
		assert.match(asked.join(), /^Password for 'smtp:\/\/carol@/);
		assert.deepEqual([...isOpen, open?.questions?.isOpen()], [false, true, false], "git's time stands still meanwhile");
		const ask = async ({ program, environment }: AskPass): Promise<string> =>
			(await promisify(execFile)(program, ['Password: '], { env: { ...environment } })).stdout;
		assert.equal(await asking('open sesame', ask), 'open sesame\n');
		await assert.rejects(asking(undefined, ask), { code: 1 });
		const others = (askPass: AskPass): Promise<string> =>
			ask({ ...askPass, environment: { ...askPass.environment, FORGE_DESK_SECRET: 'guessed' } });
		await assert.rejects(asking('open sesame', others), { code: 1 });
		assert.equal(asked.length, 3, 'whoever does not know the secret is not let in');
		assert.deepEqual(readdirSync(parts.tempFolder), []);
	});

	test('takes name and address from the user’s global settings only', async () => {
		trapped.set('user.email', 'eve@evil.test');
		const known = () => ownIdentityBy();
		global('user.name', 'Carol Nakamura');
		global('user.email', 'carol@forge.test');
		assert.deepEqual(await known(), { name: 'Carol Nakamura', address: 'carol@forge.test' });
		global('sendemail.from', '"Nakamura, Carol" <carol@work.test>');
		assert.deepEqual(await known(), { name: 'Nakamura, Carol', address: 'carol@work.test' });
		assert.deepEqual(readdirSync(parts.tempFolder), []);
	});

	testInRest('takes the address from the same section of the settings as git', async () => {
		const known = async (): Promise<string | undefined> => (await ownIdentityBy())?.address;
		global('user.email', 'carol@home.test');
		global('sendemail.identity', 'work');
		global('sendemail.other.from', 'carol@other.test');
		assert.equal(await known(), 'carol@home.test');
		global('sendemail.from', 'carol@list.test');
		assert.equal(await known(), 'carol@list.test');
		global('sendemail.work.from', 'Carol at Work <carol@work.test>');
		assert.deepEqual(await ownIdentityBy(), {
			name: 'Carol at Work',
			address: 'carol@work.test',
		});
		for (const identity of ['ann+work', 'work/list', 'büro']) {
			global(`sendemail.${identity}.from`, `${identity.length}@work.test`);
			global('sendemail.identity', identity);
			assert.equal(await known(), `${identity.length}@work.test`);
			server(door, `sendemail.${identity}`);
			received = [];
			assert.deepEqual(await send(), { kind: 'sent' }, identity);
		}
		for (const identity of ['wo\nrk', 'wo=rk']) {
			global('sendemail.identity', identity);
			await assert.rejects(known(), { problem: { kind: 'refused', what: 'sender' } });
		}
	});

	for (const [written, name, address] of [
		[String.raw`"Ann \"AL\" Lee" <ann@x.test>`, 'Ann "AL" Lee', 'ann@x.test'],
		[String.raw`"Ann \\ Lee (x)" <ann@x.test>`, String.raw`Ann \ Lee (x)`, 'ann@x.test'],
		['ann@x.test (Ann (AL) Lee)', 'Ann AL Lee', 'ann@x.test'],
		['Ann Lee <ann@x.test> (at home)', 'Ann Lee', 'ann@x.test'],
		['Ann (5" disk) Lee <ann@x.test>', 'Ann Lee', 'ann@x.test'],
		['"bob@y.test" <ann@x.test>', 'bob@y.test', 'ann@x.test'],
		['(bob@y.test) ann@x.test', 'bob@y.test', 'ann@x.test'],
		['<ann@x.test>', 'Carol', 'ann@x.test'],
	] as const) {
		const testForm = written.startsWith('"Ann') ? test : testInRest;
		testForm(`reads ${written} in the settings as ${name} at ${address}`, async () => {
			global('user.name', 'Carol');
			global('user.email', 'carol@home.test');
			global('sendemail.from', written);
			assert.deepEqual(await ownIdentityBy(), { name, address });
		});
	}

	for (const written of [
		'me',
		'Ann <me>',
		'ann@x.test, bob@y.test',
		'"Ann <ann@x.test>',
		'Ann <ann@x.test',
		'a@b@c.test',
	]) {
		const testForm = written === 'me' ? test : testInRest;
		testForm(`rejects ${written} in the settings without a fallback to another address`, async () => {
			global('user.email', 'carol@home.test');
			global('sendemail.from', written);
			await assert.rejects(ownIdentityBy(), { problem: { kind: 'refused', what: 'sender' } });
		});
	}

	test('reads the identity from both global configuration files', async () => {
		mkdirSync(join(machine.home, 'git'));
		addSettings(join(machine.home, 'git/config'), [
			['user.name', 'Ann Lee'],
			['user.email', 'ann@forge.test'],
			['sendemail.identity', 'work'],
			['sendemail.work.from', 'ann@work.test'],
		]);
		global('safe.directory', '*');
		assert.deepEqual(await ownIdentityBy(), { name: 'Ann Lee', address: 'ann@work.test' });
		global('user.email', 'ann@home.test');
		global('sendemail.identity', 'none');
		assert.equal((await ownIdentityBy())?.address, 'ann@home.test', 'the later file counts');
	});

	testInRest('reads the identity from system settings, the environment and the includes for a clone', async () => {
		const system = join(machine.folder, 'system');
		addSettings(system, [
			['user.name', 'Carol'],
			['user.email', 'carol@system.test'],
		]);
		const { GIT_CONFIG_NOSYSTEM: _, ...rest } = machine.parts.environment;
		const identity = async (
			variables: Readonly<Record<string, string>>,
			where: { readonly clone?: string; readonly email?: string } = {},
		): Promise<string | undefined> => {
			const environment = { ...rest, GIT_CONFIG_SYSTEM: system, ...variables };
			const found = await ownIdentityBy(hardenedGit({ ...machine.parts, environment }), where.clone, where.email);
			return found && `${found.name} <${found.address}>`;
		};
		assert.equal(await identity({}), 'Carol <carol@system.test>');
		assert.equal(await identity({ GIT_AUTHOR_EMAIL: 'carol@environment.test' }), 'Carol <carol@environment.test>');
		assert.equal(await identity({ GIT_CONFIG_SYSTEM: '/dev/null' }), undefined);
		assert.equal(
			await identity({ GIT_CONFIG_SYSTEM: '/dev/null' }, { email: 'carol@variable.test' }),
			' <carol@variable.test>',
		);
		const variables = settingVariables([['sendemail.from', 'Carol <carol@pairs.test>']]);
		assert.equal(await identity(variables), 'Carol <carol@pairs.test>', 'single settings of the environment');
		const clone = join(machine.folder, 'work/clone');
		mkdirSync(clone, { recursive: true });
		machine.plain(clone, 'init', '-q');
		const included = join(machine.folder, 'included');
		addSettings(included, [['user.email', 'carol@work.test']]);
		addSettings(ownSettings(), [[`includeIf.gitdir:${join(machine.folder, 'work')}/.path`, included]]);
		assert.equal(await identity({}), 'Carol <carol@system.test>');
		assert.equal(await identity({}, { clone }), 'Carol <carol@work.test>');
		machine.plain(clone, 'config', 'sendemail.from', 'eve@evil.test');
		assert.equal(await identity({}, { clone }), 'Carol <carol@work.test>');
		addSettings(included, [['sendemail.from', 'Carol at Work <carol@list.test>']]);
		assert.equal(await identity({}, { clone }), 'Carol at Work <carol@list.test>');
	});

	testInRest(
		'uses the server of the clone’s identity with its odd settings, and nothing of the repository',
		async () => {
			rmSync(ownSettings());
			const clone = join(machine.folder, 'work/clone');
			mkdirSync(clone, { recursive: true });
			machine.plain(clone, 'init', '-q');
			const work = join(machine.folder, 'work.gitconfig');
			addSettings(work, [
				['user.email', 'carol@work.test'],
				['sendemail.identity', 'wörk "x\\y"'],
				['sendemail.wörk "x\\y".smtpServer', door.host],
				['sendemail.wörk "x\\y".smtpServerPort', String(door.port)],
				['sendemail.smtpDomain', 'carol.example.org'],
			]);
			global('sendemail.smtpServer', trapped.program('home-server'));
			global(`includeIf.gitdir:${join(machine.folder, 'work')}/.path`, work);
			addSettings(join(clone, '.git/config'), [
				['sendemail.smtpServer', trapped.program('repository-server')],
				['sendemail.bcc', 'eve@evil.test'],
			]);
			assert.equal((await ownIdentityBy(parts.git, clone))?.address, 'carol@work.test');
			assert.deepEqual(await sendMail(parts, { ...forGit(), clone }, never), { kind: 'sent' });
			assertAsPreviewed();
			assert.deepEqual([trapped.sprung(), readdirSync(parts.tempFolder)], [[], []]);
		},
	);

	test('fails without sending if the clone is missing', async () => {
		const clone = join(machine.folder, 'gone');
		await assert.rejects(sendMail(parts, { ...forGit(), clone }, never), {
			problem: { kind: 'folderMissing', folder: clone },
		});
		assert.deepEqual(received, []);
	});

	test('fails without a known password and runs no askpass program of the machine', async () => {
		global('sendemail.smtpUser', 'carol');
		global('core.askPass', trapped.program('gui'));
		const sent = await send();
		assert.ok(sent.kind === 'notSent');
		assert.equal(sent.trouble, 'notAllowed', sent.complaint);
		assert.deepEqual([received, trapped.sprung()], [[], []]);
	});

	test('reports the server’s refusal in the server’s words', async () => {
		refusal = 'No such list here';
		const sent = await send();
		assert.ok(sent.kind === 'notSent');
		assert.equal(sent.trouble, 'refused', sent.complaint);
		assert.match(sent.complaint, /No such list here/);
		assert.deepEqual(received, []);
	});

	test('reports an unreachable server', async () => {
		const { host } = door;
		const gone = createServer();
		const port = await portOf(gone);
		gone.close();
		global('sendemail.smtpServerPort', String(port));
		assert.equal(host, '127.0.0.1');
		const sent = await send();
		assert.ok(sent.kind === 'notSent');
		assert.equal(sent.trouble, 'unreachable');
		global('sendemail.identity', 'work');
		const other = await send();
		assert.ok(other.kind === 'notSent');
		assert.equal(other.trouble, 'unreachable', 'the identity has no server of its own');
	});

	test('reports that no server is configured', async () => {
		// Git would hand the mail to a sendmail of this machine.
		if (!['/usr/sbin/sendmail', '/usr/lib/sendmail'].some((path) => existsSync(path))) {
			const gone = createServer();
			const port = await portOf(gone);
			gone.close();
			writeFileSync(ownSettings(), `[sendemail]\n\tsmtpServerPort = ${port}\n`);
			const sent = await send();
			assert.ok(sent.kind === 'notSent');
			assert.equal(sent.trouble, 'noServer', sent.complaint);
		}
	});

	test('is unsure when the server disconnects after it received the mail', async () => {
		const silent = await silentServer((end) => end());
		global('sendemail.smtpServerPort', String(silent.port));
		assert.equal((await send()).kind, 'unsure');
		await silent.close();
	});

	test('is unsure when the user cancels after the server received the mail', async () => {
		const given = new AbortController();
		const silent = await silentServer(() => given.abort());
		global('sendemail.smtpServerPort', String(silent.port));
		assert.equal((await send(reply, given.signal)).kind, 'unsure');
		await silent.close();
		assert.deepEqual(readdirSync(parts.tempFolder), []);
	});

	test('starts nothing in an untrusted workspace or after a cancel', async () => {
		const distrusted = testMachine({ isTrusted: () => false });
		await assert.rejects(
			sendMail({ ...parts, git: distrusted.git }, forGit(), never),
			(error) => error instanceof GitFailure && error.problem.kind === 'notTrusted',
		);
		distrusted.remove();
		await assert.rejects(send(reply, AbortSignal.abort()));
		const given = new AbortController();
		let asked = 0;
		// Git runs once for a setting and once to send.
		const gitPath = async (): Promise<undefined> => {
			asked += 1;
			if (asked === 2) {
				given.abort();
			}
		};
		const late = { ...parts, git: hardenedGit({ ...machine.parts, gitPath }) };
		await assert.rejects(sendMail(late, forGit(), given.signal), isAbort);
		assert.equal(asked, 2);
		assert.deepEqual(received, []);
	});

	test('rejects recipients that are options, lists of people or headers', () => {
		const mail = {
			file: '/tmp/mail',
			from: 'a@b',
			to: ['a@b'],
			cc: [],
			encoding: '7bit',
			identity: undefined,
		} as const;
		const hostile = [
			'',
			'a',
			'a@b, c@d',
			'a@b c@d',
			'a <b@c>, d <e@f>',
			'a, b <c@d>',
			'"a" <b@c> <d@e>',
			'"a\\" <b@c>',
			'a@b\nBcc: c@d',
			'a\r <b@c>',
			'a <b@c',
			'é@b',
			'Zoë <a@b>',
			'"c@d" <a@b>',
			'"<c" <a@b>',
		];
		const refused = (change: object): void => {
			assert.throws(
				() => gitCommands.sendMail({ ...mail, ...change }).arguments('/dev/null'),
				(error) => error instanceof GitFailure && error.problem.kind === 'refused',
				JSON.stringify(change),
			);
		};
		for (const person of hostile) {
			refused({ from: person });
			refused({ to: [person] });
			refused({ cc: [person] });
		}
		refused({ to: [] });
		refused({ file: 'mail' });
		refused({ identity: 'x.to=eve@evil.test\n' });
		refused({ identity: 'x=y' });
		const args = gitCommands.sendMail({ ...mail, to: ['-oX@b'] }).arguments('/dev/null');
		assert.ok(args.includes('--to=-oX@b'));
	});

	test('overrides settings of newer git versions that change recipients or run programs', () => {
		const mail = { file: '/tmp/mail', from: 'a@b', to: ['a@b'], cc: [], encoding: '7bit' } as const;
		const settingsOf = (identity: string | undefined): readonly string[] => {
			const args = gitCommands.sendMail({ ...mail, identity }).arguments('/dev/null');
			return args.flatMap((arg, at) => (args[at - 1] === '-c' && arg.startsWith('sendemail.') ? [arg] : []));
		};
		for (const setting of ['mailmap=false', 'useimaponly=false', 'imapsentfolder', 'headercmd']) {
			assert.ok(settingsOf(undefined).includes(`sendemail.${setting}`), setting);
			assert.ok(settingsOf('work').includes(`sendemail.${setting}`), setting);
			assert.ok(settingsOf('work').includes(`sendemail.work.${setting}`), setting);
		}
	});
});

async function portOf(server: Server): Promise<number> {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address: AddressInfo | string | null = server.address();
	assert.ok(address !== null && typeof address === 'object');
	return address.port;
}

/** A server that accepts a whole mail without acknowledging it. */
async function silentServer(
	onMail: (end: () => void) => void,
): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
	const silent = createServer((socket) => {
		let isData = false;
		let text = '';
		socket.on('error', () => socket.destroy());
		socket.on('data', (chunk) => {
			text += chunk.toString('latin1');
			if (isData) {
				if (text.endsWith('\r\n.\r\n')) {
					onMail(() => socket.destroy());
				}
				return;
			}
			isData = /^DATA\r\n/m.test(text);
			text = isData ? '' : text;
			socket.write(isData ? '354 Go on\r\n' : '250 Ok\r\n');
		});
		socket.write('220 silent.example.org\r\n');
	});
	const port = await portOf(silent);
	return {
		port,
		close: async () => {
			silent.close();
			await once(silent, 'close');
		},
	};
}

const emptyClone = madeOnce((machine) => machine.plain(machine.folder, 'init', '-q', '-b', 'main', 'trapped'));

function trap(machine: TestMachine): Trapped {
	const marks = join(machine.folder, 'marks');
	const root = join(machine.folder, 'trapped');
	mkdirSync(marks);
	emptyClone(machine);
	const program: Trapped['program'] = (trap, output = '') => {
		const path = join(machine.folder, `trap-${trap}`);
		writeFileSync(path, `#!/bin/sh\ntouch '${join(marks, trap)}'\necho '${output}'\n`, { mode: 0o755 });
		return path;
	};
	const set: Trapped['set'] = (name, value) => addSettings(join(root, '.git/config'), [[name, value]]);
	set('sendemail.to', 'to@evil.test');
	set('sendemail.cc', 'eve@evil.test');
	set('sendemail.bcc', 'bcc@evil.test');
	set('sendemail.toCmd', program('tocmd', 'tocmd@evil.test'));
	set('sendemail.ccCmd', program('cccmd', 'cccmd@evil.test'));
	set('sendemail.headerCmd', program('headercmd', 'X-Evil: header'));
	set('sendemail.from', 'evil@evil.test');
	set('sendemail.envelopeSender', 'evil@evil.test');
	set('sendemail.confirm', 'never');
	set('sendemail.signedOffByCc', 'true');
	set('sendemail.suppressCc', 'author');
	const aliases = join(machine.folder, 'evil-aliases');
	writeFileSync(aliases, `alias ${list} alias@evil.test\nalias bob@example.org alias@evil.test\n`);
	set('sendemail.aliasesFile', aliases);
	set('sendemail.aliasFileType', 'mutt');
	set('alias.send-email', `!${program('alias')}`);
	set('core.editor', program('editor'));
	set('core.askPass', program('askpass'));
	set('credential.helper', `!${program('credential')}`);
	const hook = join(root, '.git/hooks/sendemail-validate');
	mkdirSync(join(root, '.git/hooks'), { recursive: true });
	writeFileSync(hook, `#!/bin/sh\ntouch '${join(marks, 'validate')}'\n`, { mode: 0o755 });
	assert.ok(existsSync(hook));
	return {
		root,
		program,
		set,
		sprung() {
			const names = readdirSync(marks).toSorted();
			names.forEach((name) => rmSync(join(marks, name)));
			return names;
		},
	};
}
