import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import { textFolders, type TextFolders } from '../../../../src/machine/storage/textFolders.ts';
import { systemClock } from '../../../../src/app/accounts/systemClock.ts';
import { keptMails, type KeptMails } from '../../../../src/store/lists/keptMails.ts';
import { keptTimelines, type KeptTimelines } from '../../../../src/store/tickets/savedTickets.ts';
import { makeMail } from '../../../support/makeMail.ts';
import { makeComment, makeEvent, makeTicket } from '../../../support/makeTicket.ts';

const home = 'https://lists.forge.test';

suite('mail cache on disk', () => {
	let folder = '';
	setup(() => {
		folder = mkdtempSync(join(tmpdir(), 'forge-desk-mails-'));
	});
	teardown(() => rmSync(folder, { recursive: true, force: true }));

	const open = (bytes = 1_000_000): TextFolders => textFolders(folder, systemClock, { bytes, fileBytes: 100_000 });
	const mailsOf = (folders: TextFolders, key = 'one', at = home): KeptMails =>
		keptMails(folders.of(key, at), systemClock);

	function files(): readonly string[] {
		return readdirSync(folder, { recursive: true, encoding: 'utf8' })
			.map((name) => join(folder, name))
			.filter((path) => statSync(path).isFile());
	}

	const list = { name: 'devel', owner: { canonicalName: '~alice', name: 'alice' } };
	const mail = makeMail({ id: 7, list, subject: 'Grüße 🌱', envelope: '\uFEFFSubject: x\r\n\r\nä\0\u2028 text\r\n\n' });

	test('returns a mail unchanged, also in another window, and restricts its file to the user', async () => {
		const folders = open();
		mailsOf(folders).keepMail(mail, false);
		await folders.idle();
		assert.deepEqual(await mailsOf(open()).mail(7), mail);
		assert.equal(await mailsOf(open()).mail(8), undefined);
		for (const path of files()) {
			assert.equal(statSync(path).mode & 0o777, 0o600);
		}
	});

	test('returns a ticket with its timeline in another window and deletes it with the account', async () => {
		const ref = { tracker: { owner: '~alice', name: 'alpha' }, id: 12 };
		const ticketsOf = (folders: TextFolders): KeptTimelines => keptTimelines(folders.of('one', home), systemClock);
		const folders = open();
		const events = [makeEvent({ id: 3, kinds: ['comment'], comment: makeComment('Grüße 🌱') })];
		ticketsOf(folders).keepTicket(ref, makeTicket());
		ticketsOf(folders)
			.events(ref)
			.keep({ items: events, completeness: { kind: 'complete' } });
		await folders.idle();
		assert.equal((await ticketsOf(open()).ticket(ref))?.value.title, makeTicket().title);
		assert.deepEqual((await ticketsOf(open()).events(ref).read())?.value.items, events);
		await folders.forget('one');
		assert.deepEqual(files(), []);
	});

	test('stores a patch once when it joins a patchset later', async () => {
		const folders = open();
		const createdMs = systemClock.nowMs();
		const patch = makeMail({
			id: 7,
			list,
			isPatch: true,
			subject: '[PATCH] x',
			envelope: 'Subject: x\r\n\r\n',
			createdMs,
		});
		const kept = mailsOf(folders);
		kept.keepMail(patch, false);
		await folders.idle();
		assert.equal(files().length, 1);
		kept.keepMail({ ...patch, patchsetId: 3 }, true);
		await folders.idle();
		assert.equal(files().length, 1);
		assert.equal((await mailsOf(open()).mail(7))?.patchsetId, 3);
		assert.equal(await mailsOf(open()).youngPatch(7), undefined);
	});

	test('separates mails by account and forge', async () => {
		const folders = open();
		mailsOf(folders).keepMail(mail, false);
		await folders.idle();
		assert.equal(await mailsOf(folders, 'two').mail(7), undefined);
		assert.equal(await mailsOf(folders, 'one', 'https://lists.other.test').mail(7), undefined);
	});

	test('stays intact when several windows write the same mail', async () => {
		const windows = [open(), open(), open()];
		windows.forEach((window) => mailsOf(window).keepMail(mail, true));
		await Promise.all(windows.map((window) => window.idle()));
		assert.deepEqual(await mailsOf(open()).mail(7), mail);
		assert.equal(files().length, 1);
	});

	test('does not store a mail with half a surrogate pair', async () => {
		const folders = open();
		mailsOf(folders).keepMail({ ...mail, envelope: 'Subject: \ud83c\r\n\r\n' }, false);
		await folders.idle();
		assert.deepEqual(files(), []);
	});

	const wrongs: Readonly<Record<string, (head: string) => string>> = {
		'cut short': (head) => head.slice(0, 60),
		'with another version': (head) => head.replace('"version":1', '"version":0'),
		'with the name of another mail': (head) => head.replace('"name":"mail 7"', '"name":"mail 8"'),
		'with the number of another mail': (head) => head.replace('"id":7', '"id":8'),
		'without a Message-ID': (head) => head.replace('"messageId"', '"message"'),
		'with an invalid time': (head) => head.replace(/"createdMs":\d+/, '"createdMs":1e999'),
		'with a fractional number': (head) => head.replace('"replies":0', '"replies":0.5'),
		'with a string as flag': (head) => head.replace(/"isPatch":\w+/, '"isPatch":"true"'),
		'with a list without owner': (head) => head.replace(/"list":\{/, '"list":{"owner":null,"x":'),
	};
	for (const [what, change] of Object.entries(wrongs)) {
		test(`deletes a file ${what} and returns no mail`, async () => {
			const folders = open();
			mailsOf(folders).keepMail(mail, false);
			await folders.idle();
			const [path = ''] = files();
			const written = inflateSync(readFileSync(path)).toString('utf8');
			const end = written.indexOf('\n');
			const changed = change(written.slice(0, end));
			assert.notEqual(changed, written.slice(0, end));
			writeFileSync(path, deflateSync(`${changed}${written.slice(end)}`));
			assert.equal(await mailsOf(open()).mail(7), undefined);
			assert.deepEqual(files(), []);
		});
	}

	test('deletes a file that a killed window left half-written', async () => {
		const folders = open();
		mailsOf(folders).keepMail(mail, false);
		await folders.idle();
		const [path = ''] = files();
		writeFileSync(path, readFileSync(path).subarray(0, 40));
		assert.equal(await mailsOf(open()).mail(7), undefined);
		assert.deepEqual(files(), []);
	});

	test('does not store a mail that would be too large to read, measured in bytes', async () => {
		const folders = open();
		mailsOf(folders).keepMail(makeMail({ id: 7, envelope: 'ä'.repeat(60_000) }), false);
		await folders.idle();
		assert.deepEqual(files(), []);
	});

	test('stays within its size limit', async () => {
		const folders = open(40_960);
		for (let id = 1; id <= 40; id += 1) {
			mailsOf(folders).keepMail(makeMail({ id, envelope: `Subject: ${id}\r\n\r\n` }), false);
		}
		await folders.idle();
		assert.ok(files().length > 0);
		assert.ok(files().length <= 10);
	});

	test('forgets an account including pending writes', async () => {
		const folders = open();
		mailsOf(folders).keepMail(mail, false);
		const late = mailsOf(folders);
		await folders.forget('one');
		late.keepMail(mail, false);
		await folders.idle();
		assert.deepEqual(files(), []);
	});
});
