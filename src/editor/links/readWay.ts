import * as vscode from 'vscode';
import type { Destination } from '../../forge/destination.ts';
import { isForgeError } from '../../forge/forgeError.ts';
import type { RepositoryRef } from '../../forge/repository.ts';
import { likelyReading, readingAmong } from '../../forge/repositoryWay.ts';
import { destinationOfReading } from '../../forge/webDestination.ts';
import type { Connection } from '../../state/connection.ts';
import { visibleLine } from '../../text/visible.ts';
import { withProgress } from '../ask/progress.ts';

/** References of more pages are not read to understand one address. */
const mostPages = 40;

/**
 * Reads an address that only the repository's references explain. Where the forge tells none, or none fits, it is taken
 * for what it most likely means; below `refs` that is a page on the web, such as a file that goes with a tag.
 */
export async function readWay(
	{ repositories }: Pick<Connection, 'repositories'>,
	{ ref, way, href }: Extract<Destination, { kind: 'inRepository' }>,
	signal: AbortSignal,
): Promise<Destination> {
	const title = vscode.l10n.t('Searching for {0}…', visibleLine(way.steps.join('/')));
	const names = await withProgress(title, signal, (working) => namesOf(repositories, ref, working));
	const reading = readingAmong(way, names);
	if (!reading && way.page === 'refs') {
		return { kind: 'web', href };
	}
	return destinationOfReading(ref, way, reading ?? likelyReading(way));
}

/** Full names of a repository's references; none where the forge does not tell them. */
async function namesOf(
	repositories: Connection['repositories'],
	ref: RepositoryRef,
	signal: AbortSignal,
): Promise<ReadonlySet<string>> {
	try {
		let listing = await repositories.references(ref, signal);
		for (let pages = 1; listing.completeness.kind === 'more' && pages < mostPages; pages++) {
			listing = await repositories.moreReferences(ref, signal);
		}
		return new Set(listing.items.map(({ name }) => name));
	} catch (error) {
		if (isForgeError(error) && untold.includes(error.problem.kind)) {
			return new Set();
		}
		throw error;
	}
}

/** Newer servers have no such route, and a token may not reach so far. */
const untold: readonly string[] = [
	'notFound',
	'notAllowed',
	'missingScope',
	'serverError',
	'notUnderstood',
	'notOffered',
];
