import { openContainer, viewSection } from './support/user.ts';
import { useWorkbench } from './support/workbench.ts';

suite('a clean editor with the extension installed', () => {
	const workbench = useWorkbench(() => ({ name: 'first-start' }));

	test('the activity bar leads to tickets, lists and repositories', async () => {
		const { page } = workbench();
		await openContainer(page, 'Forge');
		for (const title of ['Tickets', 'Lists', 'Repositories']) {
			await viewSection(page, title).waitFor();
		}
	});
});
