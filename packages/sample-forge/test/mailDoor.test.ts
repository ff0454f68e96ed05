import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseListAddress } from '../src/lists/listAddress.ts';
import { openSmtpDoor, createSmtpSession, type SmtpParts } from '../src/mail/smtpDoor.ts';
import type { SampleForge } from '../../../test/support/sampleForge.ts';
import { sharedForge } from '../../../test/support/sharedForge.ts';

interface Delivered {
	readonly recipients: readonly string[];
	readonly mail: string;
}

function createParts(delivered: Delivered[] = []): SmtpParts {
	return {
		hostName: 'lists.forge.test',
		maxBytes: 1000,
		refuseRecipient: (address) => (address.startsWith('nobody') ? 'No such list' : undefined),
		deliver(recipients, mail) {
			delivered.push({ recipients: [...recipients], mail: Buffer.from(mail).toString('utf8') });
			return undefined;
		},
	};
}

const talk = (parts: SmtpParts, ...lines: readonly string[]): readonly string[] =>
	createSmtpSession(parts)
		.feed(Buffer.from(`${lines.join('\r\n')}\r\n`))
		.trimEnd()
		.split('\r\n');

suite('Sample forge: SMTP server', () => {
	test('accepts a pipelined mail, unstuffs dots and keeps line ends', () => {
		const delivered: Delivered[] = [];
		const replies = talk(
			createParts(delivered),
			'EHLO me',
			'MAIL FROM:<a@b> SIZE=12 BODY=8BITMIME',
			'RCPT TO:<~alice/devel@lists.forge.test>',
			'RCPT TO:<c@d>',
			'DATA',
			'Subject: x',
			'',
			'..one',
			'...two',
			'é',
			'.',
			'QUIT',
		);
		assert.deepEqual(
			replies.filter((line) => !line.startsWith('250-')).map((line) => line.slice(0, 3)),
			['250', '250', '250', '250', '354', '250', '221'],
		);
		assert.deepEqual(delivered, [
			{ recipients: ['~alice/devel@lists.forge.test', 'c@d'], mail: 'Subject: x\r\n\r\n.one\r\n..two\r\né\r\n' },
		]);
	});

	test('accepts single bytes', () => {
		const delivered: Delivered[] = [];
		const session = createSmtpSession(createParts(delivered));
		const sent = 'HELO me\r\nMAIL FROM:<>\r\nRCPT TO:<c@d>\r\nDATA\r\na\r\n.\r\nNOOP\r\n';
		const replies = Array.from(Buffer.from(sent), (byte) => session.feed(Buffer.of(byte))).join('');
		assert.match(replies, /250 2\.0\.0 Taken\r\n250 2\.0\.0 Ok\r\n$/);
		assert.equal(delivered[0]?.mail, 'a\r\n');
	});

	test('rejects commands out of order, unsupported ones and bad addresses without closing the session', () => {
		const codes = talk(
			createParts(),
			'RCPT TO:<a@b>',
			'DATA',
			'HELO me',
			'STARTTLS',
			'MAIL you',
			'MAIL FROM:<a@b>',
			'MAIL FROM:<a@b>',
			'RCPT TO:<nobody@b>',
			'DATA',
			'RSET',
			'NOOP',
			'VRFY x',
		).map((line) => line.slice(0, 3));
		assert.deepEqual(codes, ['503', '503', '250', '502', '501', '250', '503', '550', '503', '250', '250', '252']);
	});

	test('accepts every login, in one step or two', () => {
		const codes = talk(createParts(), 'AUTH PLAIN AGEAYg==', 'AUTH LOGIN', 'YQ==', 'Yg==', 'AUTH MAGIC').map((line) =>
			line.slice(0, 3),
		);
		assert.deepEqual(codes, ['235', '334', '334', '235', '504']);
	});

	test('rejects a mail over the size limit, announced or not, and accepts the next one', () => {
		const delivered: Delivered[] = [];
		const parts = createParts(delivered);
		assert.match(talk(parts, 'HELO me', 'MAIL FROM:<a@b> SIZE=1001')[1]!, /^552 /);
		const session = createSmtpSession(parts);
		const begin = 'MAIL FROM:<a@b>\r\nRCPT TO:<c@d>\r\nDATA\r\n';
		session.feed(Buffer.from(begin));
		for (let at = 0; at < 10; at++) {
			assert.equal(session.feed(Buffer.from(`${'x'.repeat(500)}\r\n`)), '');
		}
		assert.match(session.feed(Buffer.from('.\r\n')), /^552 /);
		assert.match(session.feed(Buffer.from(`${begin}small\r\n.\r\n`)), /250 2\.0\.0 Taken\r\n$/);
		assert.deepEqual(
			delivered.map(({ mail }) => mail),
			['small\r\n'],
		);
	});

	test('closes the session after an endless line', () => {
		const session = createSmtpSession(createParts());
		assert.match(session.feed(Buffer.alloc(70_000, 120)), /^500 /);
		assert.equal(session.ended(), true);
	});

	test('closing the server ends its connections', async () => {
		const door = await openSmtpDoor(createParts, 0);
		const socket = connect(door.port, door.host);
		const ended = once(socket, 'close');
		await once(socket, 'data');
		await door.close();
		await ended;
	});

	test('parses list addresses in both spellings', () => {
		const domains = ['lists.forge.test'];
		assert.deepEqual(parseListAddress('~alice/devel@lists.forge.test', domains), {
			owner: 'alice',
			list: 'devel',
			command: 'post',
		});
		assert.deepEqual(parseListAddress('u.alice.lantern-devel+subscribe@LISTS.forge.test', domains), {
			owner: 'alice',
			list: 'lantern-devel',
			command: 'subscribe',
		});
		for (const text of ['~alice/devel+fly@lists.forge.test', '~alice/devel@else.test', 'alice@lists.forge.test', '']) {
			assert.equal(parseListAddress(text, domains), undefined, text);
		}
	});
});

suite('Sample forge: mails from outside', () => {
	const run = promisify(execFile);
	let forge: SampleForge;
	let directory: string;

	suiteSetup(async () => {
		forge = await sharedForge('field');
		directory = await mkdtemp(join(tmpdir(), 'forge-mail-'));
	});

	suiteTeardown(async () => {
		await rm(directory, { recursive: true, force: true });
	});

	const git = async (...args: readonly string[]): Promise<string> => {
		const env = { ...process.env, HOME: directory, GIT_CONFIG_NOSYSTEM: '1' };
		const who = ['-c', 'user.name=Carol Nakamura', '-c', 'user.email=carol@forge.test', '-c', 'commit.gpgSign=false'];
		return (await run('git', ['-C', directory, ...who, ...args], { env })).stdout;
	};

	const send = async (to: string, ...args: readonly string[]): Promise<string> =>
		await git(
			'send-email',
			`--smtp-server=${forge.smtp!.host}`,
			`--smtp-server-port=${forge.smtp!.port}`,
			`--to=${to}`,
			'--confirm=never',
			'--suppress-cc=all',
			...args,
		);

	const commit = async (name: string, text: string): Promise<void> => {
		await writeFile(join(directory, name), text);
		await git('add', '--all');
		await git('commit', '--quiet', '--message', `Add ${name}`);
	};

	test('git send-email posts a series that becomes a patchset, and a reset drops it and keeps the port', async () => {
		await git('init', '--quiet', '--initial-branch=main');
		await commit('base', 'base\n');
		await commit('größe.txt', 'é\n.a dot\n');
		await commit('second.txt', `${'long '.repeat(300)}\n`);
		const path = '/api/lists/lantern-devel/patchsets';
		const before = (await forge.call('lists', 'GET', path)).at('total');
		const to = '~alice/lantern-devel@lists.forge.test';
		await send(to, '--subject-prefix=PATCH lantern', '-v4', '--transfer-encoding=quoted-printable', '-2');
		const newest = await forge.call('lists', 'GET', path);
		assert.deepEqual(
			['subject', 'prefix', 'version', 'status', 'submitter'].map((name) => newest.at('results', 0, name)),
			['Add größe.txt', 'lantern', 4, 'proposed', 'Carol Nakamura <carol@forge.test>'],
		);
		const patches = await forge.call('lists', 'GET', `${path}/${String(newest.at('results', 0, 'id'))}/patches`);
		assert.equal(patches.at('total'), 2);
		assert.match(String(patches.at('results', 0, 'envelope')), /\+=C3=A9\r\n\+\.a dot\r\n/);
		await forge.reset();
		assert.equal((await forge.call('lists', 'GET', path)).at('total'), before);
		await send('u.alice.lantern-devel@lists.forge.test', '-1');
		assert.equal((await forge.call('lists', 'GET', path)).at('results', 0, 'subject'), 'Add second.txt');
	});

	const deliver = async (mail: string, list = '~alice/lantern-devel'): Promise<unknown> =>
		await forge.act('/lists/mail', { list, mail });
	const head = 'From: Bob <bob@forge.test>\nTo: ~alice/lantern-devel@lists.forge.test\n';

	test('rejects HTML without plain text, a missing header and a list without post permission, with a sentence', async () => {
		await assert.rejects(
			deliver(`${head}Subject: x\nMessage-ID: <h@x>\nContent-Type: text/html\n\n<p>x`),
			/plain text only/,
		);
		await assert.rejects(deliver(`${head}Message-ID: <i@x>\n\nx`), /Subject header/);
		await assert.rejects(deliver(`${head}Subject: x\n\nx`), /Message-ID/);
		await assert.rejects(
			deliver(`${head}Subject: x\nMessage-ID: <j@x>\n\nx`, '~alice/lantern-announce'),
			/may not post/,
		);
	});

	test('drops a known Message-ID and an automatic reply silently', async () => {
		const mail = `${head}Subject: once\nMessage-ID: <once@x>\n\nx`;
		assert.notDeepEqual(await deliver(mail), {});
		assert.deepEqual(await deliver(mail), {});
		assert.deepEqual(await deliver(`${head}Subject: away\nMessage-ID: <k@x>\nAuto-Submitted: auto-replied\n\nx`), {});
	});

	test('a header of a reply sets the patchset status, if its sender has the permission', async () => {
		const patch = 'diff --git a/f b/f\nindex 1..2 100644\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n';
		await deliver(`${head}Subject: [PATCH lantern] by header\nMessage-ID: <p@x>\n\n---\n${patch}`);
		const status = async (): Promise<unknown> =>
			(await forge.call('lists', 'GET', '/api/lists/lantern-devel/patchsets')).at('results', 0, 'status');
		const answer = async (from: string, id: string, word: string): Promise<unknown> =>
			await deliver(
				`From: ${from}\nTo: x@y\nSubject: Re: by header\nMessage-ID: <${id}>\nIn-Reply-To: <p@x>\nX-Sourcehut-Patchset-Update: ${word}\n\nok`,
			);
		await answer('Carol <carol@forge.test>', 'q1@x', 'APPLIED');
		assert.equal(await status(), 'proposed');
		await answer('Bob <bob@forge.test>', 'q2@x', 'needs_revision');
		assert.equal(await status(), 'needs_revision');
		await answer('Alice <alice@forge.test>', 'q3@x', 'Applied');
		assert.equal(await status(), 'applied');
		await answer('Bob <bob@forge.test>', 'q4@x', 'REJECTED');
		assert.equal(await status(), 'applied');
	});

	test('mails to +subscribe and +unsubscribe change the subscriptions of the sender', async () => {
		const mine = async (): Promise<boolean> => {
			const { text } = await forge.call('lists', 'GET', '/api/subscriptions', { token: forge.tokens.carol });
			return text.includes('"wick-devel"');
		};
		await send('~bob/wick-devel+subscribe@lists.forge.test', '-1');
		assert.equal(await mine(), true);
		await send('u.bob.wick-devel+unsubscribe@lists.forge.test', '-1');
		assert.equal(await mine(), false);
	});
});
