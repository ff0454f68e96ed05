import type { PageHost } from '../../../editor/pages/pageHost.ts';
import type { RenderChunk } from '../../../editor/pages/pageRenderer.ts';
import type { WindowTrust } from '../../../editor/commands/trust.ts';
import type { RepositoriesParts } from '../parts/repositoriesParts.ts';
import type { VerifySignature } from './signature.ts';

export interface RepositoryPagesParts extends RepositoriesParts {
	/** Loads the Markdown renderer on first use. */
	readonly render: () => Promise<RenderChunk>;
	readonly pages: PageHost;
	readonly trust: WindowTrust;
	/** Without a verifier, signatures stay unverified. */
	readonly verifySignature?: VerifySignature;
}
