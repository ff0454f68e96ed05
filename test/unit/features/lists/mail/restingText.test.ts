import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { visibleText } from '../../../../../src/engine/text/visible.ts';
import { turnsDuring } from '../../../../support/turnsDuring.ts';

const { visibleTextResting } = await import('../../../../../src/features/lists/mail/mailDocuments.ts');

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

suite('escaping of long texts', () => {
	const texts = {
		'a short one': 'a\u202Eb\n',
		'many lines': 'Hello \u200B, \u2028 how are you?\n'.repeat(20_000),
		'one line of surrogate pairs': '\u{E0041}'.repeat(100_000),
		'the same, shifted': `x${'\u{E0041}'.repeat(100_000)}`,
		nothing: '',
	};
	for (const [name, text] of Object.entries(texts)) {
		test(`matches the escaping of short ones: ${name}`, async () => {
			assert.equal(await visibleTextResting(text, pause), visibleText(text));
		});
	}

	test('lets other work run in between', async () => {
		assert.ok((await turnsDuring(() => visibleTextResting('é\u202E\n'.repeat(200_000), pause))) > 5);
	});
});
