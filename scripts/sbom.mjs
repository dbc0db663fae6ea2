// The list of what a package contains, for programs that look for known faults and licences (CycloneDX 1.5).
import { execFileSync } from 'node:child_process';

/**
 * Makes the list with `npm sbom`, which reads package-lock.json alone: names, versions, licences and hashes. npm lists
 * what is installed; only what is in the package is kept.
 *
 * @param root The folder of package.json.
 * @param bundled Name and version of each package whose code is in the bundles.
 * @throws Error if npm does not know one of them, or not its licence.
 */
export function makeSbom(root, bundled) {
  const { $schema, bomFormat, specVersion, version, metadata, components, dependencies } = npmSbom(root);
  const refs = new Set(bundled.map((one) => `${one.name}@${one.version}`));
  const kept = components.filter((component) => refs.has(component['bom-ref']));
  for (const ref of refs) {
    const component = kept.find((one) => one['bom-ref'] === ref);
    if (!component?.licenses?.length) throw new Error(`npm sbom has no ${ref} with a license.`);
  }
  const own = metadata.component;
  const direct = kept.map((component) => component['bom-ref']);
  // Its serial number and time are left out, so that the same sources give the same file.
  return {
    $schema,
    bomFormat,
    specVersion,
    version,
    metadata: {
      lifecycles: metadata.lifecycles,
      tools: metadata.tools,
      // npm takes the folder's name.
      component: { ...withoutInstallation(own), name: own.purl.replace(/^pkg:npm\/|@[^@]*$/g, '') },
    },
    components: kept.map(withoutInstallation),
    dependencies: [
      { ref: own['bom-ref'], dependsOn: direct },
      ...dependencies
        .filter(({ ref }) => refs.has(ref))
        .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) })),
    ],
  };
}

function npmSbom(root) {
  const options = ['--package-lock-only', '--include=dev', '--include=optional', '--loglevel=error'];
  const output = execFileSync(
    'npm',
    ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', ...options],
    { cwd: root, encoding: 'utf8', shell: process.platform === 'win32', maxBuffer: 2 ** 26 },
  );
  return JSON.parse(output);
}

/** How npm installs a component ("for development only", from where) says nothing about it in a bundle. */
function withoutInstallation(component) {
  const { properties, externalReferences, scope, ...rest } = component;
  return rest;
}
