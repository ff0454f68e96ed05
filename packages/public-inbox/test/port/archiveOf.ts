import assert from 'node:assert/strict';
import type { ArchiveReads } from '../../src/http/archiveReads.ts';

/** An archive with these members. All others fail the test. */
export function archiveOf(members: Partial<ArchiveReads>): ArchiveReads {
	const refused = (): never => assert.fail('an unexpected request');
	return {
		inboxes: refused,
		inbox: refused,
		prefixes: refused,
		newest: refused,
		search: refused,
		mail: refused,
		thread: refused,
		threads: refused,
		...members,
	};
}
