import assert from 'node:assert/strict';
import type { ListRef } from 'sourcehut/port/list.ts';
import { readMail } from 'patchmail/mail/readMail.ts';
import type { ReadableMail } from 'patchmail/mail/readableMail.ts';
import { allItems, protocolSuite, wanted } from '../support/contractForge.ts';

const users: ListRef = { owner: '~alice', name: 'lantern-users' };

/** The same words in double-byte charsets. Some byte pairs happen to be valid UTF-8. */
const mails: readonly (readonly [charset: string, hex: string, text: string])[] = [
	['gbk', 'bcdbb8f120c4e3bac320b2e2cad4', '价格 你好 测试'],
	['gb18030', 'bcdbb8f120c4e3bac320b2e2cad4', '价格 你好 测试'],
	['big5', 'bbf9aee620a741a66e20b4fab8d5', '價格 你好 測試'],
	['euc-jp', 'b2c1b3ca20a4a4a4eda4cf20c6fccbdc', '価格 いろは 日本'],
	['euc-kr', 'b0a1b0dd20bec8b3e720c7d1b1db', '가격 안녕 한글'],
];

protocolSuite('8-bit mails in other charsets', { inBoth: true }, ({ dialect, forge }) => {
	async function received(charset: string, hex: string): Promise<ReadableMail> {
		const head = [
			'From: Bob <bob@forge.test>',
			'To: ~alice/lantern-users@lists.forge.test',
			`Subject: Text in ${charset}`,
			`Message-ID: <${charset}@forge.test>`,
			`Content-Type: text/plain; charset=${charset}`,
			'Content-Transfer-Encoding: 8bit',
		];
		const bytes = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), Buffer.from(`${hex}0d0a`, 'hex')]);
		await forge().sample.act('/lists/mail', { list: '~alice/lantern-users', mailBase64: bytes.toString('base64') });
		const { lists } = forge().as('bob');
		const found = (await allItems(lists.posts(users, wanted()))).find(({ subject }) => subject.endsWith(` ${charset}`));
		assert.ok(found);
		const { envelope } = await lists.email(found.id, wanted());
		const reading = await readMail(envelope, { evenIfLarge: false });
		assert.ok(reading.kind === 'read');
		return reading.mail;
	}

	for (const [charset, hex, text] of mails) {
		test(`${charset}: the client decodes the mail if the server keeps the bytes, else it marks the loss`, async () => {
			const { text: shown, doubts } = await received(charset, hex);
			const isLost = dialect === 'document';
			assert.equal(shown === `${text}\n`, !isLost, shown);
			assert.equal(
				doubts.some(({ kind }) => kind === 'lostBytes'),
				isLost,
			);
		});
	}
});
