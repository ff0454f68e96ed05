import assert from 'node:assert/strict';
import { logWithoutSecrets } from '../../../src/base/log.ts';

suite('the log', () => {
	test('holds no secret, also one that came after its opening', () => {
		const lines: string[] = [];
		const write = (message: string): void => void lines.push(message);
		const secrets: string[] = [];
		const log = logWithoutSecrets({ info: write, warn: write, error: write }, () => secrets);
		log.info('ready');
		secrets.push('AAAbbb123/+==ccDDeeFF');
		log.info('a AAAbbb123%2F%2B%3D%3DccDDeeFF b');
		log.warn(`Basic ${Buffer.from('alice:AAAbbb123/+==ccDDeeFF').toString('base64')}`);
		log.error('Error: bbb123/+==cc\n    at call (file.ts:1:2)');
		assert.deepEqual(lines, ['ready', 'a [secret] b', 'Basic [secret]', 'Error: [secret]\n    at call (file.ts:1:2)']);
	});
});
