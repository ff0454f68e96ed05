import assert from 'node:assert/strict';
import '../../../../support/vscodeStub.ts';
import { isTextType } from 'patchmail/mail/isTextType.ts';

const { attachmentFileName } = await import('../../../../../src/features/lists/thread/mailHandlers.ts');

suite('attachments', () => {
	test('a name becomes a plain file name', () => {
		const names = [
			'../../.bashrc',
			'C:\\autoexec.bat',
			'..',
			'.hidden',
			'a\u202Egnp.exe',
			'a\nb',
			'x/y',
			' ',
			'nul\u0000l',
			'~/x',
		];
		for (const name of names) {
			const made = attachmentFileName(name, 0);
			// oxlint-disable-next-line no-control-regex -- the pattern has to match control characters
			assert.doesNotMatch(made, /[/\\:\u0000-\u001F\u202E]|^\./, name);
			assert.notEqual(made, '');
		}
		assert.equal(attachmentFileName(undefined, 2), 'attachment-3');
		assert.equal(attachmentFileName('0001-fix.patch', 0), '0001-fix.patch');
		assert.ok(attachmentFileName(`${'a'.repeat(5000)}.patch`, 0).endsWith('.patch'));
		assert.ok(attachmentFileName('a'.repeat(5000), 0).length <= 101);
	});

	test('a name loses hidden characters, unusual spaces and device names', () => {
		const names = [
			'a\u00ADb.patch',
			'a\u3164.log',
			'a\u{E0041}.log',
			'x.exe        .txt',
			'a.txt. .',
			'nul.txt',
			'CON',
			'Lpt1 .x',
		];
		assert.deepEqual(
			names.map((name) => attachmentFileName(name, 0)),
			['a_b.patch', 'a_.log', 'a_.log', 'x.exe .txt', 'a.txt', '_nul.txt', '_CON', '_Lpt1 .x'],
		);
		assert.equal(attachmentFileName('console.log', 0), 'console.log');
	});

	test('only declared text types open as text', () => {
		assert.deepEqual(
			['text/plain', 'TEXT/x-diff; charset=x', 'application/pgp-signature', 'image/png', 'application/x-sh', ''].map(
				isTextType,
			),
			[true, true, true, false, false, false],
		);
	});
});
