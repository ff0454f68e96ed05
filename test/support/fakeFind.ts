import type { Resting } from '@forge-desk/base/timeSlice.ts';
import { searchText } from '../../src/engine/search/texts/searchText.ts';
import type { TextSearcher } from '../../src/engine/search/texts/textSearcher.ts';
import type { Connection } from '../../src/store/connection.ts';
import { quill } from './fakeRepositories.ts';
import type { FileSearch } from '../../src/features/repositories/parts/repositoriesContext.ts';

/** Searches texts synchronously, without a thread. */
export const searchHere: TextSearcher = {
	search: async ({ bytes, pattern, mostLines }) => searchText(bytes, pattern, mostLines),
};

/** Never pauses. */
export function unresting(): Resting {
	return { nowMs: () => 0, pause: () => Promise.resolve(), sliceMs: 1 };
}

/** All of `~alice/quill` at `main`. */
export function wholeQuill(connection: Connection): FileSearch {
	return { connection, ref: quill, at: { ref: 'main', path: '' } };
}
