// What must happen before the app has loaded. A file of its own: the page's policy allows no inline script.

// Sets the colour scheme before the first paint, so that nothing flashes, and follows the system's.
(() => {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const set = () => {
    const chosen = localStorage.getItem('mantine-color-scheme-value');
    const scheme = chosen === 'light' || chosen === 'dark' ? chosen : system.matches ? 'dark' : 'light';
    document.documentElement.dataset.mantineColorScheme = scheme;
  };
  set();
  system.addEventListener('change', set);
})();

// A file that is dropped before the app has loaded must not replace it. The app's own listeners, which come later, take what they can.
for (const name of ['dragover', 'drop'])
  addEventListener(name, (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    if (name === 'dragover') event.dataTransfer.dropEffect = 'none';
  });
