import type { RepositoryRef, Reference } from 'sourcehut/port/repository.ts';
import type { Connection } from '../../../store/connection.ts';
import { isBeingRead, type Listing } from '../../../store/shared/listing.ts';
import { headRevision } from '../../../store/repositories/repositoryReferences.ts';
import type { DefaultBranch } from '../../../store/repositories/repositoryNames.ts';
import { revisionOfDefault } from '../subjects/defaultRevision.ts';
import { pagePart, type PageReading } from '../pages/openPieces.ts';
import { keptReadme, readReadme } from './readmeFile.ts';

/** References of a repository and its default branch. */
export interface RepositoryNamesRead {
	readonly listing: Listing<Reference>;
	readonly branch: DefaultBranch | undefined;
}

/** Independently loaded parts of a repository page. */
export type RepositoryReading = ReturnType<typeof repositoryReading>;

/** Loads through the account's current connection. */
export function repositoryReading(ref: RepositoryRef, connection: () => Connection, parts: PageReading) {
	let revision = headRevision;
	/** Revision of the commits from an earlier window's cache. */
	let recalledRevision: string | undefined;
	const names = pagePart(async (signal): Promise<RepositoryNamesRead> => {
		const { repositories } = connection();
		const [listing, branch] = await Promise.all([
			repositories.references(ref).first(signal),
			repositories.names.defaultBranch(ref, signal),
		]);
		// Includes pages loaded meanwhile.
		const known = repositories.names.known(ref)?.references.known() ?? listing;
		revision = revisionOfDefault(branch, known);
		return { listing: known, branch };
	}, parts);
	const commits = pagePart((signal) => connection().repositories.log(ref, revision).first(signal), parts);
	const readme = pagePart(
		async (signal) => ({ readme: await readReadme(connection().repositories, { ref, revision }, signal) }),
		parts,
	);
	const about = pagePart((signal) => connection().repositories.metadata.get(ref, signal), parts);

	async function recall(): Promise<void> {
		const { repositories } = connection();
		const branch = await repositories.recall(ref);
		const repository = repositories.metadata.known(ref);
		if (repository) {
			about.recalled(repository);
		}
		const listing = repositories.names.known(ref)?.references.known();
		if (!listing) {
			return;
		}
		names.recalled({ listing, branch });
		const recalled = revisionOfDefault(branch, listing);
		revision = recalled;
		recalledRevision = recalled;
		await repositories.log(ref, recalled).recall();
		const log = repositories.names.known(ref)?.knownLog(recalled);
		const [newest] = log?.items ?? [];
		const tree = newest && (await repositories.objects.keptTree(ref, newest.tree));
		const kept = tree && (await keptReadme(repositories, { ref, revision: recalled }, tree));
		if (log) {
			commits.recalled(log);
		}
		if (kept) {
			readme.recalled({ readme: kept });
		}
	}

	/** The default branch changed: reload the old one's commits for other views. */
	async function readRecalled(): Promise<void> {
		const { repositories } = connection();
		const recalled = recalledRevision;
		if (
			recalled !== undefined &&
			recalled !== revision &&
			isBeingRead(repositories.names.known(ref)?.logBefore(recalled))
		) {
			await repositories.log(ref, recalled).first(parts.signal);
		}
	}

	return {
		about,
		names,
		commits,
		readme,
		/** The default branch in the form that the server accepts. */
		revision: () => revision,
		/** Shows everything from an earlier window's cache, without requests. Call `all` next. Never throws. */
		recall: () => recall().catch(parts.problems.log),
		/** Loads everything through the store, which decides about requests. */
		all() {
			void about.read();
			// A server without references may still resolve its default branch.
			void names.read().then(() => {
				void commits.read();
				void readme.read();
				readRecalled().catch(parts.problems.log);
			});
		},
	};
}
