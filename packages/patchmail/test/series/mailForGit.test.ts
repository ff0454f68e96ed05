import assert from 'node:assert/strict';
import { mailForGit, quotedReturns } from '../../src/series/mailForGit.ts';
import { mailboxOf } from '../../src/series/mbox.ts';
import { reencoded } from '../../../../test/support/envelopeOf.ts';
import { runCases } from '../../../../test/support/shellCases.ts';

const bob = { key: 'Reviewed-by', value: 'Bob <bob@forge.test>' };
const osa = { key: 'Tested-by', value: 'Åsa Ö <asa@forge.test>' };
const diff = 'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+é = 2\n';
const utf8 = 'MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n';

function mail(message: string, headers = utf8): string {
	return `From: Eve <eve@forge.test>\nSubject: [PATCH] Title\n${headers}\n${message}---\n a | 2 +-\n\n${diff}-- \n2.39.5\n`;
}

type Trailers = Parameters<typeof mailForGit>[1]['trailers'];

function mailWithTrailers(envelope: string, trailers: Trailers): string | undefined {
	return mailForGit(envelope, { trailers, stripsReturns: false });
}

/** Git’s messages of the mails; asserts that the diff is complete. */
function read(mails: readonly (string | undefined)[]): readonly string[] {
	const cases = mails.map((each) => ({
		mail: Buffer.from(mailboxOf([each ?? assert.fail('no mail')])),
	}));
	return runCases('git mailinfo --encoding=UTF-8 message patch <mail', cases).map(({ file }) => {
		assert.ok(file('patch')?.toString().includes(diff));
		return file('message')?.toString().trim() ?? '';
	});
}

suite('trailers inserted into a patch mail', () => {
	test('end git’s message, below other trailers or after a blank line, each once', () => {
		const signed = 'It was wrong.\n\nSigned-off-by: Eve <eve@forge.test>';
		const both = [bob, osa];
		const lines = 'Reviewed-by: Bob <bob@forge.test>\nTested-by: Åsa Ö <asa@forge.test>';
		const quoted = (text: string): string => reencoded(Buffer.from(mail(text, '')), 'quoted-printable').toString();
		const made = [
			mailWithTrailers(mail(`${signed}\n`), both),
			mailWithTrailers(mail('It was wrong.\n\n\n'), both),
			mailWithTrailers(mail('It was wrong. \t\n'), both),
			mailWithTrailers(mail(''), both),
			mailWithTrailers(mail('From: Zoe <zoe@forge.test>\n\nText\n'), both),
			mailWithTrailers(quoted(`${signed}\n`), both),
			mailWithTrailers(
				quoted('Ünwrapped text that is so long that its line is broken softly: größer, größer, größer\n'),
				both,
			),
			mailWithTrailers(mail(`${signed}\n`).replaceAll('\n', '\r\n'), both),
			mailWithTrailers(mail(`${signed}\n${lines}\n`), both),
		];
		assert.deepEqual(read(made), [
			`${signed}\n${lines}`,
			`It was wrong.\n\n${lines}`,
			`It was wrong. \t\n\n${lines}`,
			lines,
			`Text\n\n${lines}`,
			`${signed}\n${lines}`,
			`Ünwrapped text that is so long that its line is broken softly: größer, größer, größer\n\n${lines}`,
			`${signed}\n${lines}`,
			`${signed}\n${lines}`,
		]);
	});

	test('work in every transfer encoding and charset, and in mails of several parts', () => {
		const text = 'Größer.\n';
		const lines = 'Reviewed-by: Bob <bob@forge.test>\nTested-by: Åsa Ö <asa@forge.test>';
		const based = reencoded(Buffer.from(mail(text, '')), 'base64').toString();
		const latin1 = mail(text, 'Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: base64\n');
		const [head = ''] = latin1.split('\n\n');
		const latin1Body = Buffer.concat([Buffer.from(`${text}---\n\n`, 'latin1'), Buffer.from(diff)]).toString('base64');
		const parts = [
			'From: Eve <eve@forge.test>\nSubject: [PATCH] Title\nContent-Type: multipart/mixed;\n boundary=x',
			'--x\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n',
			`${Buffer.from(`${text}---\n`).toString('base64')}\n--x\nContent-Type: text/x-patch`,
			`${diff}--x--\n`,
		];
		const made = [
			based,
			`${head}\n\n${latin1Body}\n`,
			parts
				.join('\n\n')
				.replace('utf-8\nContent-Transfer-Encoding: base64\n\n\n', 'utf-8\nContent-Transfer-Encoding: base64\n\n'),
		];
		const wanted = `Größer.\n\n${lines}`;
		assert.deepEqual(read(made.map((each) => mailWithTrailers(each, [bob, osa]))), [wanted, wanted, wanted]);
	});

	test('can include the author for git, whatever the beginning of the text', () => {
		const author = { key: 'From', value: 'Åsa Lee <asa@lee.test>' };
		const bodies = [
			'Größer.\n',
			'',
			'\nSubject: Other\n\nText\n',
			' Subject: Other\n\nText\n',
			'[PATCH] Other\nText\n',
			'Date: Mon, 1 Jan 2024 10:00:00 +0000\n\nText\n',
		];
		const based = (body: string): string => reencoded(Buffer.from(mail(body, '')), 'base64').toString();
		const cases = [...bodies.flatMap((body) => [mail(body), based(body)]), based('\r\nSubject: Other\r\n\r\nText\r\n')];
		const boxed = (each: string): { readonly mail: Buffer } => ({ mail: Buffer.from(mailboxOf([each])) });
		const script = 'git mailinfo message patch <mail';
		const plain = runCases(script, cases.map(boxed));
		const made = cases.map((each) => boxed(mailWithTrailers(each, [author, bob]) ?? assert.fail(each)));
		for (const [at, { stdout, file }] of runCases(script, made).entries()) {
			assert.match(stdout.toString(), /^Author: Åsa Lee\nEmail: asa@lee\.test\n/);
			const subject = /^Subject: .*$/m;
			assert.equal(subject.exec(stdout.toString())?.[0], subject.exec(plain[at]?.stdout.toString() ?? '')?.[0]);
			const before = plain[at]?.file('message')?.toString().trim() ?? '';
			assert.equal(file('message')?.toString().trim(), `${before}\n\nReviewed-by: ${bob.value}`.trim());
			assert.ok(file('patch')?.toString().includes(diff));
		}
		assert.equal(mailWithTrailers(mail('Text\n'), [{ key: 'From', value: 'a\nSubject: b <a@b.test>' }]), undefined);
	});

	test('leave other headers and lines unchanged', () => {
		// Git does not count blank lines.
		const plainly = (text: string | undefined): string | undefined => text?.replaceAll(/\n{3,}/g, '\n\n');
		const author = { key: 'From', value: 'Åsa Lee <asa@lee.test>' };
		const head = 'From: Eve <eve@forge.test>\nX-Content-Type: kept\nSubject: [PATCH] Title\n';
		const typed = head
			.replace('X-', 'Content-Type: text/plain;\n\tcharset=utf-8;\n format=fixed\nX-')
			.replace('Subject', 'content-disposition:\n inline\nSubject')
			.concat('MIME-version:1.0\nContent-Transfer-Encoding: 8bit\n');
		const rest = `---\n a | 2 +-\n\n${diff}-- \n2.39.5\n`;
		const written = rest.replace('é = 2', '=C3=A9 =3D 2').replace('\n-- \n', '\n--=20\n');
		const fields =
			'MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n';
		const [by, from] = [`Reviewed-by: ${bob.value}\n`, 'From: =C3=85sa Lee <asa@lee.test>\n'];
		for (const [body, trailers, expected] of [
			['Text.\n', [bob], `Text.\n\n${by}`],
			['', [bob], by],
			['Text. \t\n\n\n', [bob], `Text. =09\n\n${by}\n\n`],
			['Text.\n\nAcked-by: A <a@b.test>\n', [bob], `Text.\n\nAcked-by: A <a@b.test>\n${by}`],
			['Date: now\n\nText.\n', [bob], `Date: now\n\nText.\n\n${by}`],
			['Date: now\n\n', [bob], `Date: now\n\n${by}`],
			['Text.\n', [author], `${from}\nText.\n`],
			['', [author], `${from}\n`],
			['\n\nDate: now\n\nText.\n', [author], `${from}Date: now\n\nText.\n`],
			['Text.\n', [bob, author, bob], `${from}\nText.\n\n${by}`],
			['', [author, bob], `${from}\n${by}`],
		] as const) {
			const made = mailWithTrailers(`${typed}\n${body}${rest}`, trailers);
			assert.equal(plainly(made), plainly(`${head}${fields}\n${expected}${written}`), body);
		}
		const returns = mailWithTrailers(`${typed}\nText.\n${rest}`.replaceAll('\n', '\r\n'), [bob]);
		assert.equal(plainly(returns), `${head}${fields}\nText.\n\n${by}${written}`);
		const twice = mailWithTrailers(`${typed}\nText.\n${rest}`.replaceAll('\n', '\r\r\n'), [bob]);
		assert.equal(twice?.split('\n\n', 1)[0], `${head}${fields}`.trimEnd());
		// Git would read it as a line of the text.
		assert.equal(
			mailWithTrailers(`${typed.replace('disposition:', 'disposition :')}\nText.\n${rest}`, [bob]),
			undefined,
		);
		assert.equal(mailWithTrailers(`${typed}\nText.\n`, [bob]), undefined);
	});

	test('follow a cherry-pick line without a blank line, as with git interpret-trailers', () => {
		const picked = 'Text\n\n(cherry picked from commit 1234567890123456789012345678901234567890)';
		assert.deepEqual(read([mailWithTrailers(mail(`${picked}\n`), [bob])]), [
			`${picked}\nReviewed-by: Bob <bob@forge.test>`,
		]);
	});

	test('stay apart from web addresses, which git would take for trailers', () => {
		const addresses = 'It was wrong. See:\n\nhttps://forge.test/1\nhttps://forge.test/2';
		const signed = 'It was wrong.\n\nhttps://forge.test/1\nSigned-off-by: Eve <eve@forge.test>';
		const line = 'Reviewed-by: Bob <bob@forge.test>';
		assert.deepEqual(
			read([mailWithTrailers(mail(`${addresses}\n`), [bob]), mailWithTrailers(mail(`${signed}\n`), [bob])]),
			[`${addresses}\n\n${line}`, `${signed}\n${line}`],
		);
	});

	test('are rejected if they span lines, or if git ends the head elsewhere', () => {
		for (const value of ['Bob\n---\ndiff', 'Bob\rFrom: x', '', 'a\u2028b', '\ud800']) {
			assert.equal(mailWithTrailers(mail('Text\n'), [{ key: 'Acked-by', value }]), undefined);
		}
		assert.equal(mailWithTrailers(mail('Text\n', 'No field\n'), [bob]), undefined);
		// Without a message, git reads such a line as a header.
		assert.equal(mailWithTrailers(mail(''), [{ key: 'Subject', value: 'Other' }]), undefined);
		assert.equal(mailWithTrailers(mail('Text\n'), []), mail('Text\n'));
	});
});

suite('line ends inside a transfer encoding', () => {
	const based = (text: string): string =>
		reencoded(Buffer.from(mail('Text\n', '').replace(/\n\n[^]*/, `\n\n${text}`)), 'base64').toString();
	const lines = `Text\n---\n${diff}`;
	const withReturns = lines.replaceAll('\n', '\r\n');

	test('belong to the transport if git’s own lines have them, or else to the files', () => {
		assert.equal(quotedReturns(based(lines)), 'none');
		assert.equal(quotedReturns(based(withReturns)), 'transport');
		assert.equal(quotedReturns(based(lines.replace('é = 2\n', 'é = 2\r\n'))), 'content');
		assert.equal(quotedReturns(based(withReturns.replace('a/a b/a\r', 'a/a b/a'))), 'mixed');
		assert.equal(quotedReturns(mail('Text\n').replaceAll('\n', '\r\n')), 'none');
		assert.equal(quotedReturns(based('Text.\r\n')), 'content');
		const indexed = withReturns.replace('--- a/a', 'index 1234567..89abcde 100644\r\n--- a/a');
		assert.equal(quotedReturns(based(indexed)), 'transport');
		assert.equal(quotedReturns(based(indexed.replace('100644\r', '100644'))), 'mixed');
		assert.equal(quotedReturns(based(`Some index 1..2\n${withReturns}`)), 'transport');
	});

	test('lose only the CR that the transport added', () => {
		const twice = withReturns.replace('é = 2\r\n', 'é = 2\r\r\n');
		const stripped = mailForGit(based(twice), { trailers: [], stripsReturns: true }) ?? assert.fail('no mail');
		const [result] = runCases('git mailinfo --encoding=UTF-8 message patch <mail', [
			{ mail: Buffer.from(mailboxOf([stripped])) },
		]);
		assert.ok(result?.file('patch')?.toString().startsWith(lines.slice(5).replace('é = 2\n', 'é = 2\r\n')));
	});

	test('lose a CR if all lines end twice, and the mail accepts trailers', () => {
		const twice = mail('Text\n').replaceAll('\n', '\r\r\n');
		assert.equal(quotedReturns(twice), 'transport');
		assert.deepEqual(read([mailForGit(twice, { trailers: [bob], stripsReturns: true })]), [
			`Text\n\nReviewed-by: ${bob.value}`,
		]);
	});

	test('a mail without a head accepts no trailers', () => {
		assert.equal(mailWithTrailers('', [bob]), undefined);
		assert.equal(mailWithTrailers(`\n${diff}`, [bob]), undefined);
	});

	test('belong to the content if the mail has no diff', () => {
		assert.equal(quotedReturns('From: a@b.test\nContent-Transfer-Encoding: quoted-printable\n\na=0D\n'), 'content');
	});
});
