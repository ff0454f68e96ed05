import assert from 'node:assert/strict';
import { ArchiveError } from 'public-inbox/http/archiveError.ts';

suite('errors of archives', () => {
	test('name their host and their problem in logs, and keep their cause', () => {
		const cause = new Error('The gzip file is cut');
		const error = new ArchiveError({ kind: 'damaged' }, 'x.example:81', { cause });
		assert.equal(String(error), 'ArchiveError: x.example:81 damaged');
		assert.equal(error.cause, cause);
	});
});
